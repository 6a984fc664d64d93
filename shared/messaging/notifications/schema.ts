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

export const Notification = object({
  id: recordId({ description: 'The id of the event in GET /events.' }),
  event: string({ description: 'The kind of the event.', examples: ['lead_assigned'] }),
  user: email({ description: 'The recipient.', examples: ['grace@example.com'] }),
  account_id: accountId(),
  data: openObject({
    description:
      'From the event: `eventId`, `subject`, `actor`, `changedFields` (`moreFields`: how many names do not fit), and ' +
      'the small values of its `data`. At most 1 KB. Contains no values of changed fields.',
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
    description: 'One line. Subject and body are empty if the caller may no longer read the record.',
    examples: ['Lead assigned: Ada Byron'],
  }),
  notificationBody: string({ examples: ['ada@example.com changed the assignee of the lead Ada Byron.'] }),
  portalLink: string({
    maxLength: 2300,
    description:
      'The address of the record’s page in the account’s portal, or only the path if the account has no portal address. If the caller may no longer read the record, this is the path of the notifications page.',
    examples: ['https://portal.example.com/leads/214563398120447'],
  }),
  portalLinkDescription: string({ examples: ['Open the lead'] }),
  error: boolean({ description: 'true: the event reports an error.' }),
  markedRead: boolean(),
  created: dateTime({ description: 'When the notification arrived.' }),
});
export type Notification = Static<typeof Notification>;

export const NotificationParams = object({ id: recordId() });

export const NotificationPatch = object({
  markedRead: boolean({
    description: 'false: mark the notification as unread again. Its place in the list does not change.',
    examples: [true],
  }),
});

export const NotificationPageFields = {
  userDoesNotHaveNotificationPreferencesConfigured: boolean({
    description: 'true: the caller has no notification preferences, neither for this account nor by default.',
  }),
};
