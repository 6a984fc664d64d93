import type { EventDraft } from '../events/envelope.ts';
import { unnamedChange } from '../events/unnamed-change.ts';
import type { Happening } from '../resources/registry.ts';
import type { StoredView } from './schema.ts';

/** Returns the event of a change of a view. */
export const viewChanged = (
  happening: Extract<Happening, `view_${string}`>,
  view: StoredView,
): EventDraft[] =>
  unnamedChange(view.accountId, happening, view, { list: view.resource, sharedWith: view.sharedWith });
