import type { EventDraft } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { Happening, HappeningData } from '../../resources/registry.ts';
import { parentOfMail } from './parent-of-mail.ts';
import type { StoredMail } from './schema.ts';

type MailHappening = Extract<Happening, `mail_${string}`> & keyof Details;
type Details = {
  [H in Happening as HappeningData[H]['resource'] extends 'mail' ? H : never]: HappeningData[H]['detail'];
};
type MailDetail = Pick<
  Details['mail_sent'],
  'direction' | 'state' | 'from' | 'subject' | 'recordType' | 'recordId'
>;

/** The states in which only some readers of the record may read the mail, so that events do not contain its subject. */
const hidesSubject = ({ state }: StoredMail): boolean => state === 'held' || state === 'quarantined';

const detailOf = (mail: StoredMail): MailDetail => {
  const { direction, state, from, subject, recordType, recordId } = mail;
  return {
    ...{ direction, state, from: from.address, recordType, recordId },
    ...(subject !== '' && !hidesSubject(mail) && { subject }),
  };
};

/**
 * Returns the event of a change of a mail. The readers of the mail's record may read it; without a record, only
 * administrators. `further` are the fields of the detail besides those of every mail.
 */
export const mailHappened = <H extends MailHappening>(
  happening: H,
  mail: StoredMail,
  further: Omit<Details[H], keyof MailDetail>,
): EventDraft[] =>
  unnamedChange(
    mail.accountId,
    happening,
    mail,
    { ...detailOf(mail), ...further } as HappeningData[H]['detail'],
    parentOfMail(mail),
  );
