import type { StoredAccount } from '../../accounts/schema.ts';
import type { StoredMailAddress } from '../addresses/schema.ts';
import type { StoredThread } from '../threads/schema.ts';
import { threads } from '../threads/store.ts';
import { findThreadRecord, type ThreadRecord, takesPart } from '../threads/thread-record.ts';
import { hashOfAddress } from '../threads/thread-token.ts';
import { isAutomatic, isBulk, isReportType, isSystemSender } from './automatic-mail.ts';
import type { MailFacts } from './decide-mail.ts';
import type { ParsedMail } from './parse-mail.ts';
import type { ReceivedMail } from './read-notification.ts';
import { type MailRoute, type ThreadName, threadNames } from './route-mail.ts';

/** A received mail with its parsed content. */
export interface OpenedMail {
  received: ReceivedMail;
  parsed: ParsedMail;
  /** False if the mail is larger than 30 MB. */
  isWhole: boolean;
}

/** A thread that a mail names, its record, and the stored thread if it has mails. */
interface FoundThread {
  name: ThreadName;
  of: ThreadRecord;
  stored: StoredThread | undefined;
}

/** The facts of a mail, except the limits, and the records that they describe. `found` has the order of `facts.threads`. */
export interface ReadMailFacts {
  facts: MailFacts;
  found: FoundThread[];
  address: StoredMailAddress | undefined;
}

/** Reads the records that a mail names, and returns the facts for the decision. */
export async function readMailFacts(
  { received, parsed, isWhole }: OpenedMail,
  route: MailRoute,
  { closedAt }: StoredAccount,
): Promise<ReadMailFacts> {
  const isReport = isReportOf(parsed, received);
  const named = isReport ? [] : await threadNames(route, parsed);
  const found = (await Promise.all(named.map((name) => findThread(route, name)))).filter(
    (one) => one !== undefined,
  );
  const [sender] = parsed.from;
  const [address] = route.addresses;
  const { envelopeSender, verdicts } = received;
  return {
    found,
    address,
    facts: {
      isReport,
      isAccountOpen: closedAt === undefined,
      threads: found.map(({ name, of, stored }) => ({
        by: name.by,
        senderTakesPart:
          sender !== undefined &&
          (takesPart(of, stored, sender.address) || name.recipientHash === hashOfAddress(sender.address)),
      })),
      verdicts,
      hasOneSender: parsed.from.length === 1,
      isAutomatic: isAutomatic(parsed, envelopeSender),
      isBulk: isBulk(parsed, address?.address),
      hasAddress: address !== undefined,
      isReadable: isWhole,
    },
  };
}

/**
 * A report has a part for programs, and the null return path or the type of a report. Mail systems also send texts without such
 * a part, from the null return path. A mail of a person who forwards a report has such a part too, but another type, and is not
 * a report.
 */
function isReportOf({ report, from, header }: ParsedMail, { envelopeSender }: ReceivedMail): boolean {
  const isReturned = envelopeSender === '';
  if (report && (isReturned || isReportType({ header }))) return true;
  return isReturned && from.some(({ address }) => isSystemSender(address));
}

async function findThread({ account }: MailRoute, name: ThreadName): Promise<FoundThread | undefined> {
  const [of, stored] = await Promise.all([
    findThreadRecord(account, name.thread),
    threads.find(account, name.thread),
  ]);
  return of && { name, of, stored };
}
