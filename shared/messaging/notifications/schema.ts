import {
  accountId,
  boolean,
  dateTime,
  email,
  object,
  openObject,
  recordId,
  type Static,
  string,
} from '../../schema.ts';

/** A notification as its user sees it. */
export const Notification = object({
  id: recordId({ description: 'Of the event that it tells of, in the account’s log.' }),
  event: string({ description: 'The kind of the event.', examples: ['lead_assigned'] }),
  user: email({ description: 'Whose it is.', examples: ['grace@example.com'] }),
  account_id: accountId(),
  data: openObject({
    description:
      'Of the event: `eventId`, `subject`, `actor`, `changedFields` (and in `moreFields` how many more there are), and the ' +
      'small values of its kind; at most 1 KB, and never what is in a field.',
    examples: [
      {
        to: '214563398120449',
        eventId: 214563398120449,
        subject: { type: 'lead', id: 214563398120447, version: 2, label: 'Ada Byron' },
        actor: { user: 'ada@example.com', apiKey: null },
      },
    ],
  }),
  notificationSubject: string({
    description: 'One line. Empty, as the body is, where the caller may no longer read what it is about.',
    examples: ['Lead assigned: Ada Byron'],
  }),
  notificationBody: string({ examples: ['ada@example.com assigned the lead Ada Byron to you.'] }),
  portalLink: string({
    maxLength: 2300,
    description:
      'The page of the record in the account’s portal. If the account has no portal address, the path alone. If the caller may no longer read the record, the path of the notifications.',
    examples: ['https://portal.example.com/leads/214563398120447'],
  }),
  portalLinkDescription: string({ examples: ['Open the lead'] }),
  error: boolean({ description: 'It tells of an error.' }),
  markedRead: boolean(),
  created: dateTime({ description: 'When it arrived.' }),
});
export type Notification = Static<typeof Notification>;

export const NotificationParams = object({ id: recordId() });

export const NotificationPatch = object({
  markedRead: boolean({ description: 'False: unread again, in its place.', examples: [true] }),
});

/** The fields that `GET /notifications` returns beside the page. */
export const OfReader = {
  userDoesNotHaveNotificationPreferencesConfigured: boolean({
    description:
      'The caller has made no rule of what it hears, neither for this account nor for every account.',
  }),
};
