import { routingFaults } from '../../sales/value-checks/formats.ts';
import { type AchAccountType, isAchAccountNumber } from './fields.ts';
import { type AchRecord, achField, digitsOf, readAchRecords, UnreadableAchFile } from './read-ach-records.ts';

/** New values of a bank account, as the recipient's bank states them. */
export interface AccountCorrection {
  routingNumber?: string;
  accountNumber?: string;
  accountType?: AchAccountType;
}

interface ReturnRecord {
  /** The line of the addenda record, or of the entry. */
  line: number;
  /** The fifteen digits of the paid entry, or of this one if it is neither a return nor a change. */
  trace: string;
  /** Cents. 0 in a notification of change. */
  amount: number;
}

/** A returned entry, such as `R01` for insufficient funds. */
export interface AchReturn extends ReturnRecord {
  kind: 'return';
  code: string;
  /** The explanation of the recipient's bank. */
  note: string;
}

/** A notification of change. The payment was made, and the next one must use the corrected values. */
export interface AchChange extends ReturnRecord {
  kind: 'change';
  code: string;
  /** Absent for codes that correct something else than the bank account, and for values that cannot be right. */
  correction?: AccountCorrection;
}

/** An entry without an addenda record of the types 98 and 99. */
interface OtherEntry extends ReturnRecord {
  kind: 'other';
}

export type ReturnItem = AchReturn | AchChange | OtherEntry;

/**
 * Reads the file with which a bank returns entries and notifies of changes. Each entry gives one item, in the order of the
 * file. Throws `UnreadableAchFile`.
 */
export const readReturnFile = (text: string): ReturnItem[] =>
  readAchRecords(text).flatMap(({ entries }) =>
    entries.map(({ entry, addenda }) => {
      const amount = Number(digitsOf(entry, 30, 39, 'the amount'));
      const returned = addenda.find((one) => achField(one, 2, 3) === '99');
      if (returned) return returnIn(returned, amount);
      const changed = addenda.find((one) => achField(one, 2, 3) === '98');
      if (changed) return changeIn(changed, amount);
      return { kind: 'other', line: entry.line, trace: digitsOf(entry, 80, 94, 'the trace number'), amount };
    }),
  );

const returnIn = (addenda: AchRecord, amount: number): AchReturn => ({
  kind: 'return',
  code: codeIn(addenda, 'R'),
  ...originalIn(addenda, amount),
  note: achField(addenda, 36, 79).trim(),
});

function changeIn(addenda: AchRecord, amount: number): AchChange {
  const code = codeIn(addenda, 'C');
  const correction = correctionIn(code, achField(addenda, 36, 64));
  return { kind: 'change', code, ...originalIn(addenda, amount), ...(correction && { correction }) };
}

const originalIn = (addenda: AchRecord, amount: number): ReturnRecord => ({
  line: addenda.line,
  trace: digitsOf(addenda, 7, 21, 'the original trace number'),
  amount,
});

function codeIn(addenda: AchRecord, letter: 'R' | 'C'): string {
  const code = achField(addenda, 4, 6);
  if (!/^\d\d$/.test(code.slice(1)) || code[0] !== letter)
    throw new UnreadableAchFile(addenda.line, `the code must be ${letter} and two digits`);
  return code;
}

/** The positions of the corrected values in a field of 29 characters, from 0. */
const places: Readonly<Record<string, { routing?: number; account?: number; type?: number }>> = {
  C01: { account: 0 },
  C02: { routing: 0 },
  C03: { routing: 0, account: 12 },
  C05: { type: 0 },
  C06: { account: 0, type: 20 },
  C07: { routing: 0, account: 9, type: 26 },
};

/**
 * Returns the new values of a bank account. Undefined for other codes, and for values that cannot be right: then the
 * notification is reported, and a person decides.
 */
function correctionIn(code: string, text: string): AccountCorrection | undefined {
  const place = places[code];
  if (!place) return undefined;
  const { routing, account, type } = place;
  const routingNumber = routing === undefined ? undefined : text.slice(routing, routing + 9);
  const accountNumber = account === undefined ? undefined : text.slice(account, account + 17).trim();
  const accountType = type === undefined ? undefined : typeOfCode(text.slice(type, type + 2));
  if (routingNumber !== undefined && routingFaults(routingNumber).length > 0) return undefined;
  if (accountNumber !== undefined && !isAchAccountNumber(accountNumber)) return undefined;
  if (type !== undefined && !accountType) return undefined;
  return {
    ...(routingNumber !== undefined && { routingNumber }),
    ...(accountNumber !== undefined && { accountNumber }),
    ...(accountType && { accountType }),
  };
}

/** Returns the type of the account in a transaction code, such as 22. Undefined for loans and general ledgers. */
const typeOfCode = (code: string): AchAccountType | undefined =>
  /^2[2-9]$/.test(code) ? 'checking' : /^3[2-9]$/.test(code) ? 'savings' : undefined;
