import { eventKinds } from '../resources/derived.ts';
import type { EventKind } from '../resources/registry.ts';

const known = new Set<string>(eventKinds);

export const isEventKind = (text: string): text is EventKind => known.has(text);
