import { containsCardNumber } from '../../security/card-numbers.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import type { NoticeData } from './schema.ts';

/** Replaces all digits but the last four if a text contains a card number. */
const masked = (text: string): string =>
  containsCardNumber(text) ? text.normalize('NFKC').replaceAll(/\d(?=(?:\D*\d){4})/g, '*') : text;

/**
 * Masks the card numbers in a notification. It is not refused, because a generated reference of 16 digits can look like a
 * card number, and the provider would not send another one. A masked reference ends with a keyed hash, so that it still
 * identifies its payment.
 */
export function withMaskedCards(data: NoticeData, { blind }: Pick<DataKeys, 'blind'>): NoticeData {
  const { reference, reason, invoiceNumber } = data;
  return {
    ...data,
    ...(reference !== undefined &&
      containsCardNumber(reference) && {
        reference: `${masked(reference).slice(0, 170)} ${blind('paymentReference', reference).slice(0, 20)}`,
      }),
    ...(reason !== undefined && { reason: masked(reason) }),
    ...(invoiceNumber !== undefined && { invoiceNumber: masked(invoiceNumber) }),
  };
}
