import { changes } from '../../shared/http/contract.ts';
import type { BundledEndpoint } from '../build/manifest.ts';

/**
 * What a function may do, beside logging.
 * - `table:read`: read items and the lists' index
 * - `table:write`: change any item
 * - `calls:count`: add to a counter of calls, append the event that a limit was met, and nothing else
 * - `secret:read`: read the signing secret
 */
export type Right = 'table:read' | 'table:write' | 'calls:count' | 'secret:read';

/** The rights that follow from a contract. An endpoint that only reads cannot write. */
export function rightsOf(contract: BundledEndpoint['contract']): Right[] {
  const writes = changes(contract);
  const signsIn = contract.path.startsWith('/auth/');
  const authenticates = contract.access !== 'public';
  if (!authenticates && !signsIn && !writes) return [];
  const rights: Record<Right, boolean> = {
    'table:read': true,
    'table:write': writes,
    'calls:count': authenticates,
    'secret:read': authenticates || signsIn,
  };
  return (Object.keys(rights) as Right[]).filter((right) => rights[right]);
}
