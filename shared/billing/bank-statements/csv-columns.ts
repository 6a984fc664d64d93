import { foldText } from '../../search/fold-text.ts';
import { currencyCodes } from '../currencies.ts';
import { type ColumnMapping, type ColumnRole, columnRoles } from './statement.ts';

/** The columns of a file by their meaning, as positions. */
export type Columns = { readonly [R in ColumnRole]: readonly number[] } & {
  /** The currency that the header of the amounts names, as in `Amount (USD)`. */
  headerCurrency?: string;
  /** True if the direction column can also contain kinds of transactions, such as `Transfer`. */
  isKind: boolean;
};

/** The headers of each column, best first. A header of a later group is used only if there is none of an earlier one. */
const headers: Readonly<Record<ColumnRole, readonly (readonly string[])[]>> = {
  date: [
    [
      ...['booking date', 'date booked', 'posting date', 'posted date', 'date posted', 'post date', 'posted'],
      ...['buchungstag', 'buchungsdatum', 'boekdatum', 'boekingsdatum', 'date de comptabilisation'],
      ...['fecha contable', 'data contabile', 'data di contabilizzazione', 'bokforingsdag', 'bogforingsdato'],
      ...['completed date', 'date completed', 'date operation', 'fecha operacion', 'data operazione'],
    ],
    [
      ...['date', 'datum', 'fecha', 'data', 'dato', 'transaction date', 'trans date', 'trans. date', 'dates'],
      ...['buchung', 'process date', 'processed date', 'effective date', 'day', 'tag', 'transaktionsdatum'],
    ],
    [
      ...['value date', 'valuta', 'valutadatum', 'wertstellung', 'wertstellungsdatum', 'rentedatum'],
      ...['date de valeur', 'fecha valor', 'data valuta', 'started date'],
    ],
  ],
  amount: [
    [
      ...['amount', 'amt', 'betrag', 'bedrag', 'montant', 'importo', 'importe', 'belopp', 'belob', 'belop'],
      ...['transaction amount', 'transaktionsbetrag', 'umsatz', 'valor', 'value', 'net amount', 'kwota'],
      ...['amount in account currency', 'bedrag eur', 'betrag eur'],
    ],
  ],
  debit: [
    [
      ...['debit', 'debits', 'debit amount', 'debit amt', 'withdrawal', 'withdrawals', 'withdrawal amount'],
      ...['withdrawal amt', 'withdrawal amt.', 'money out', 'paid out', 'soll', 'belastung', 'lastschrift'],
      ...[
        'ausgang',
        'ausgaben',
        'cargo',
        'cargos',
        'addebiti',
        'dare',
        'uit',
        'outgoing',
        'spent',
        'charges',
      ],
    ],
  ],
  credit: [
    [
      ...['credit', 'credits', 'credit amount', 'credit amt', 'deposit', 'deposits', 'deposit amount'],
      ...[
        'deposit amt',
        'deposit amt.',
        'money in',
        'paid in',
        'haben',
        'gutschrift',
        'eingang',
        'einnahmen',
      ],
      ...['abono', 'abonos', 'accrediti', 'avere', 'in', 'incoming', 'received'],
    ],
  ],
  direction: [
    [
      ...['debit/credit', 'credit/debit', 'dr/cr', 'cr/dr', 'd/c', 'c/d', 's/h', 'h/s', 'soll/haben'],
      ...['af/bij', 'af bij', 'bij/af', 'debit credit', 'credit debit', 'debit or credit', 'credit or debit'],
      ...['direction', 'indicator', 'credit debit indicator', 'credit/debit indicator', 'cdtdbtind', 'sign'],
      ...['in/out', 'money in/out', 'credit debit code', 'debit/credit indicator', 'dc', 'drcr', 'crdr'],
    ],
    ['transaction type', 'trans type', 'type', 'tran type', 'transaktionstyp', 'kind'],
  ],
  currency: [
    ['currency', 'ccy', 'cur', 'curr', 'currency code', 'wahrung', 'waehrung', 'muntsoort', 'munt', 'devise'],
    ['divisa', 'valuta code', 'moneda', 'account currency', 'amount currency'],
  ],
  description: [
    [
      ...[
        'description',
        'details',
        'transaction description',
        'transaction details',
        'text',
        'purpose',
        'memo',
      ],
      ...['narrative', 'narration', 'particulars', 'payment details', 'remittance information', 'message'],
      ...['reference', 'payment reference', 'customer reference', 'payee', 'payer', 'name', 'counterparty'],
      ...['counterparty name', 'verwendungszweck', 'buchungstext', 'auftraggeber', 'empfanger', 'zweck'],
      ...['auftraggeber/empfanger', 'beguenstigter/zahlungspflichtiger', 'name zahlungsbeteiligter'],
      ...['zahlungspflichtiger', 'zahlungsempfanger', 'kundenreferenz', 'omschrijving', 'mededelingen'],
      ...['naam / omschrijving', 'naam tegenpartij', 'libelle', 'concepto', 'descrizione', 'causale'],
      ...['beskrivelse', 'tekst', 'meddelelse', 'remarks', 'subject'],
    ],
  ],
  reference: [
    [
      ...['transaction id', 'transaction reference', 'bank reference', 'transaction number', 'fitid'],
      ...['unique id', 'entry reference', 'bankreferenz', 'transactiereferentie', 'id'],
    ],
  ],
  account: [
    ['account', 'account number', 'account no', 'account no.', 'own account', 'auftragskonto', 'rekening'],
    ['konto', 'kontonummer', 'iban auftragskonto', 'rekeningnummer', 'account id'],
  ],
  status: [['status', 'state', 'transaction status', 'umsatzstatus', 'buchungsstatus', 'booking status']],
};

/** Longer cells are texts. */
const longestHeader = 80;

/** Returns a header as it is compared: without case, accents, a currency in brackets, and repeated spaces. */
const headerKey = (cell: string): string =>
  foldText(cell.slice(0, longestHeader).normalize('NFKC'))
    .replace(/[([][^)\]]*[)\]]/g, ' ')
    .replace(/["*:#]/g, ' ')
    .replaceAll('_', ' ')
    .replace(/\s+/g, ' ')
    .replace(/\s*\/\s*/g, '/')
    .trim();

const known: ReadonlyMap<ColumnRole, ReadonlyMap<string, number>> = new Map(
  columnRoles.map((role) => [
    role,
    new Map(headers[role].flatMap((group, rank) => group.map((name) => [headerKey(name), rank] as const))),
  ]),
);

function positionsOf(keys: readonly string[], role: ColumnRole): { positions: number[]; rank: number } {
  const ranks = keys.map((key) => known.get(role)?.get(key) ?? Number.POSITIVE_INFINITY);
  const rank = Math.min(...ranks);
  return {
    rank,
    positions:
      rank === Number.POSITIVE_INFINITY ? [] : keys.flatMap((_, at) => (ranks[at] === rank ? [at] : [])),
  };
}

/** The columns without which money that left the account, or that is not booked, could be taken for a payment. */
const decisive = ['date', 'amount', 'debit', 'credit', 'direction', 'currency', 'status'] as const;

/** Returns the headers of a mapping that a row lacks, of those columns that decide what is booked. */
export function missingIn(cells: readonly string[], mapping: ColumnMapping): string[] {
  const keys = cells.map(headerKey);
  return decisive.flatMap((role) => mapping[role] ?? []).filter((name) => !keys.includes(headerKey(name)));
}

/**
 * Returns the columns of a header row. Undefined if the cells are no header: it names a date and an amount, or a date
 * and the amounts that came in. A header also has the columns of the mapping.
 */
export function columnsOf(cells: readonly string[], mapping: ColumnMapping = {}): Columns | undefined {
  if (missingIn(cells, mapping).length > 0) return undefined;
  const keys = cells.map(headerKey);
  const at = (role: ColumnRole) => {
    const wanted = mapping[role];
    if (wanted === undefined) return positionsOf(keys, role);
    const names = [wanted].flat().map(headerKey);
    return { rank: 0, positions: keys.flatMap((key, position) => (names.includes(key) ? [position] : [])) };
  };
  const found = Object.fromEntries(columnRoles.map((role) => [role, at(role)])) as Record<
    ColumnRole,
    { positions: number[]; rank: number }
  >;
  const hasAmount = found.amount.positions.length > 0 || found.credit.positions.length > 0;
  if (found.date.positions.length === 0 || !hasAmount) return undefined;
  const direction = found.direction.positions.slice(0, 1);
  const named = [...found.amount.positions, ...found.credit.positions]
    .map((position) => /[([]\s*([A-Z]{3})\s*[)\]]|\b([A-Z]{3})$/.exec(cells[position]?.trim() ?? ''))
    .flatMap((match) => match?.[1] ?? match?.[2] ?? [])
    .find((code) => currencyCodes.includes(code));
  return {
    ...{ date: found.date.positions.slice(0, 1), amount: found.amount.positions },
    ...{ debit: found.debit.positions.slice(0, 1), credit: found.credit.positions.slice(0, 1), direction },
    ...{ currency: found.currency.positions.slice(0, 1), reference: found.reference.positions.slice(0, 1) },
    ...{ account: found.account.positions.slice(0, 1), status: found.status.positions.slice(0, 1) },
    description: found.description.positions.filter((position) => !direction.includes(position)),
    isKind: mapping.direction === undefined && found.direction.rank > 0,
    ...(named !== undefined && { headerCurrency: named }),
  };
}

/** The most columns of a mapping whose texts describe a transaction. */
const mostDescriptions = 10;

/**
 * Returns the mapping that finds the same columns. `used` are the columns of the amounts and of the direction that were
 * read. Headers without letters are omitted.
 */
export function mappingOf(
  names: readonly string[],
  columns: Columns,
  used: Pick<Columns, 'amount' | 'direction'>,
): ColumnMapping {
  const named = (positions: readonly number[]) =>
    positions
      .map((position) =>
        (names[position] ?? '')
          .replace(/[\s\p{C}]+/gu, ' ')
          .trim()
          .slice(0, longestHeader),
      )
      .filter((name) => headerKey(name) !== '');
  const { headerCurrency, isKind, description, ...single } = { ...columns, ...used };
  const descriptions = [...new Set(named(description))];
  return {
    ...Object.fromEntries(
      Object.entries(single).flatMap(([role, positions]) => named(positions).map((name) => [role, name])),
    ),
    ...(descriptions.length > 0 && descriptions.length <= mostDescriptions && { description: descriptions }),
  };
}

/** Reports which of the required columns a row names. The error of a file without a header says what is missing. */
export function requiredIn(cells: readonly string[]): { date: boolean; amount: boolean } {
  const keys = cells.map(headerKey);
  const has = (role: ColumnRole) => positionsOf(keys, role).positions.length > 0;
  return { date: has('date'), amount: has('amount') || has('credit') };
}

/** The number of columns whose meaning is known. The delimiter that gives the most is that of the file. */
export const knownColumns = ({ headerCurrency, isKind, ...columns }: Columns): number =>
  Object.values(columns).reduce((sum, positions) => sum + positions.length, 0);
