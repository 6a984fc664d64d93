import { invalid } from '../../errors.ts';

/**
 * Throws unless the ids that came back with a part of a merchant are its own: they are shown, and nobody sets them.
 */
export function checkIds(
  sent: { id?: number; merchantId?: number },
  own: { id?: number; merchantId: number },
  nameOf: (field: string) => string,
): void {
  if (sent.merchantId !== undefined && sent.merchantId !== own.merchantId)
    throw invalid(nameOf('merchantId'), 'is the id of another merchant');
  if (sent.id !== undefined && sent.id !== own.id)
    throw invalid(nameOf('id'), 'is an id that this merchant does not have here');
}
