import { oneOf } from '../schema.ts';
import { eventKinds } from './kinds.ts';

/** The kind of an event as a field. Its list is long: bundles leave this schema out, as their validators have it. */
export const EventKindField = oneOf(eventKinds);
