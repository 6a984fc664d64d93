import { foldText } from '../../search/fold-text.ts';

export type Direction = 'in' | 'out';

const words: Readonly<Record<Direction, readonly string[]>> = {
  in: [
    ...['c', 'cr', 'crdt', 'credit', 'credits', 'credited', 'h', 'haben', 'bij', 'in', 'incoming', 'inflow'],
    ...[
      'deposit',
      'deposits',
      'received',
      'receipt',
      'money in',
      'paid in',
      'gutschrift',
      'eingang',
      'abono',
    ],
    ...['accredito', 'avere', '+', 'dep', 'dslip', 'direct deposit', 'incoming transfer', 'transfer in'],
  ],
  out: [
    ...[
      'd',
      'dr',
      'db',
      'dbit',
      'debit',
      'debits',
      'debited',
      's',
      'soll',
      'af',
      'out',
      'outgoing',
      'outflow',
    ],
    ...['withdrawal', 'withdrawals', 'sent', 'money out', 'paid out', 'lastschrift', 'belastung', 'ausgang'],
    ...['cargo', 'addebito', 'dare', '-', 'fee', 'fees', 'direct debit', 'outgoing transfer', 'transfer out'],
  ],
};

const directions: ReadonlyMap<string, Direction> = new Map([
  ...words.in.map((word): [string, Direction] => [word, 'in']),
  ...words.out.map((word): [string, Direction] => [word, 'out']),
]);

/** Reads the value of a direction column, such as `CR`, `Bij`, `S` or `ACH_DEBIT`. Returns undefined if it is unknown. */
export function readDirection(text: string): Direction | undefined {
  const word = foldText(text.normalize('NFKC'))
    .trim()
    .replace(/[_\s]+/g, ' ');
  const [, kind] = /^(?:ach|wire|bank|misc|check|chk) (credit|debit|deposit|withdrawal)$/.exec(word) ?? [];
  return directions.get(kind ?? word.replace(/\.$/, ''));
}
