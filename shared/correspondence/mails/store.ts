import type { Described } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import { derivedId } from '../../id/mint.ts';
import { putIfAbsent, type Write } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import { recordStore } from '../../table/record-store.ts';
import { secondaryIndexes } from '../../table/secondary-indexes.ts';
import { firstAndNewest } from './first-and-newest.ts';
import { indexedMailFields } from './indexed-fields.ts';
import { mailMessageKey } from './keys.ts';
import { type Mail, type MailState, type MailSummary, mailLimits, type StoredMail } from './schema.ts';
import { largestMailSummary, summarizeMail } from './summarize-mail.ts';

/** The states in which users must decide about a mail. An index of the table contains these mails. */
const undecidedStates = ['held', 'quarantined'] as const satisfies readonly MailState[];

export const isUndecided = (state: MailState): boolean => undecidedStates.some((one) => one === state);

const records = recordStore<StoredMail, 'mail', MailSummary>({
  resource: 'mail',
  summary: summarizeMail,
  largestSummary: largestMailSummary,
  indexedFields: indexedMailFields,
  indexes: secondaryIndexes<StoredMail>({
    state: ({ state }) => (isUndecided(state) ? [state] : undefined),
    holder: ({ state, recordType, recordId }) =>
      state === 'quarantined' || recordType === undefined || recordId === undefined
        ? undefined
        : [recordType, recordId],
    countedAs: ({ state }) => (isUndecided(state) ? [{ of: state }] : []),
  }),
});

/** A mail as SES received it. */
interface Receipt {
  /** The id that SES assigned. */
  providerId: string;
  receivedAt: Date;
}

/**
 * The mails with customers. Each mail has an item and a summary item. An outgoing mail also has an item for each message that
 * SES accepted, which maps the id of SES to the mail, because reports of deliveries name this id.
 */
export const mails = {
  ...records,

  describe: ({ subject }: Pick<StoredMail, 'subject'>): Described => ({ label: subject }),

  /** Long threads have more Message-IDs than responses contain. */
  show: ({ rawKey, addressId, ...mail }: StoredMail): Mail => ({
    ...mail,
    references: firstAndNewest(mail.references, mailLimits.references),
  }),

  /** Fails with a conflict if the account has a mail with the same id. */
  insert: (mail: StoredMail): Write[] => [...records.insert(mail), ...pointerWrites(mail)],

  /** Also maps the id that SES assigned, if the mail has it only now. */
  replace: (before: StoredMail, after: StoredMail): Write[] => [
    ...records.replace(before, after),
    ...pointerWrites(after, new Set(providerIdsOf(before))),
  ],

  /**
   * Returns the received mail, or the id for its record if the account has no record of it. A repeated notification finds the
   * record, because the id depends only on the receipt. If another mail has this id, the next one is used.
   */
  async findReceived(
    account: AccountId,
    { providerId, receivedAt }: Receipt,
  ): Promise<{ mail: StoredMail } | { id: number }> {
    for (let n = 0; ; n++) {
      const id = derivedId(receivedAt, `${account} ${providerId} ${n}`);
      const mail = await records.find(account, id);
      if (!mail) return { id };
      if (mail.providerId === providerId) return { mail };
    }
  },

  /** Returns the outgoing mail with an id of SES; undefined if the account has none. */
  async findByProviderId(account: AccountId, providerId: string): Promise<StoredMail | undefined> {
    const mailId = (await getItem(mailMessageKey(account, providerId)))?.mailId;
    return typeof mailId === 'number' ? records.find(account, mailId) : undefined;
  },
};

/** The ids that SES assigned to the messages of an outgoing mail, one for each recipient. */
const providerIdsOf = ({ direction, providerId, deliveries = [] }: StoredMail): string[] =>
  direction === 'incoming'
    ? []
    : [...new Set([providerId, ...deliveries.map((one) => one.providerId)].filter((id) => id !== undefined))];

const pointerWrites = (mail: StoredMail, known = new Set<string>()): Write[] =>
  providerIdsOf(mail)
    .filter((id) => !known.has(id))
    .map((id) =>
      putIfAbsent({ ...mailMessageKey(mail.accountId, id), type: 'mail-message', mailId: mail.id }),
    );
