import { array, integer, object, oneOf, optional, recordId, string, unsafe } from '../schema.ts';
import { changeEvents, event, eventGroup, resource } from './declare.ts';
import { changed, fromToText, fromToUser, noData } from './event-data.ts';
import { assigneeChanged, because, changedField, changedNotice, did, noticeOf } from './text.ts';

export const applicationResource = resource({
  name: 'application',
  readers: 'own',
  reach: { owners: ['ownerId', 'assignedTo'], team: 'teamId' },
  permissions: { writeUnderwriting: 'Decide on submitted applications.' },
  portal: 'record',
  audited: true,
  searched: true,
  children: ['note', 'document', 'submission', 'submission_outcome'],
  exported: { without: ['appKey'] },
  items: {
    'application-summary': 'derived',
    'app-key': 'secret',
    collision: 'derived',
    submission: {},
    'submission-outcome': { as: 'submission_outcome' },
  },
  reference: { place: 7, description: 'Merchant applications and documents, from draft to decision.' },
  events: {
    ...changeEvents('application', 'An application'),
    application_updated: event(changed, 'Fields of an application changed.', changedNotice),
    application_completed: event(
      noData,
      'An application became complete for the first time.',
      noticeOf('complete', '{Record} is complete.'),
    ),
    application_submitted: event(noData, 'An application was submitted.', did('submitted')),
    application_sensitive_data_revealed: event(
      object({
        fields: unsafe<readonly string[]>({
          ...array(string({ examples: ['basics.dbaTaxId'] }), { description: 'The paths of the fields.' }),
        }),
      }),
      'Sensitive values of an application, a merchant, a payout account or a payout were shown.',
      { title: 'Sensitive data viewed', body: '{actor} viewed sensitive data of {label}.' },
      { about: ['application', 'merchant', 'payout_account', 'payout'], link: 'parent' },
    ),
  },
});

const decision = (title: string) => `{actor} decided on the application {label}: ${title}.${because}`;

const aboutRule = { about: ['underwriting_rule'] } as const;
const ruleVersion = integer({ examples: [2], description: 'The version of the rule.' });

export const underwriting = eventGroup('Underwriting', 'application', {
  underwriting_application_assigned: event(
    fromToUser,
    'The underwriter of an application was set, changed or removed.',
    assigneeChanged('assigned to an underwriter', 'to', 'underwriter'),
  ),
  underwriting_application_priority_changed: event(
    object({
      from: optional(string({ examples: ['medium'] })),
      to: optional(string({ examples: ['high'] })),
    }),
    'The underwriting priority of an application changed.',
    changedField('priority'),
  ),
  underwriting_decision_made: event(
    object({
      decision: oneOf(['approved', 'rejected', 'info_requested']),
      reason: optional(string({ examples: ['The volume does not fit the business.'] })),
      requested: optional(
        array(string({ examples: ['basics.dbaTaxId'] }), {
          description: 'The requested fields and documents.',
        }),
      ),
      merchantId: optional(recordId({ description: 'The merchant created by an approval.' })),
    }),
    'An application was approved or rejected, or more information was requested.',
    noticeOf('decided', decision('decided'), {
      variants: [
        { if: { decision: 'approved' }, title: '{Name} approved', body: decision('approved') },
        { if: { decision: 'rejected' }, title: '{Name} rejected', body: decision('rejected') },
        {
          if: { decision: 'info_requested' },
          title: '{Name} more information requested',
          body: decision('more information requested'),
        },
      ],
    }),
  ),
  underwriting_note_added: event(
    object({ noteId: recordId() }),
    'An underwriting note was added to an application.',
    noticeOf('underwriting note added', '{actor} added a note to {record}.'),
  ),
  underwriting_risk_assessment_generated: event(
    object({
      score: integer({ examples: [40] }),
      level: oneOf(['low', 'medium', 'high', 'critical']),
    }),
    'The risk of an application was assessed.',
    noticeOf('risk assessed', 'The risk of {record} is {level|unknown}, with a score of {score|–}.'),
  ),
  underwriting_auto_rule_created: event(
    changed,
    'An automatic underwriting rule was created.',
    did('created'),
    aboutRule,
  ),
  underwriting_auto_rule_updated: event(
    changed,
    'An automatic underwriting rule changed or was archived.',
    changedNotice,
    aboutRule,
  ),
  underwriting_auto_rule_toggled: event(
    object({ ...fromToText('shadow', 'live').properties, ruleVersion }),
    'An automatic underwriting rule was switched to off, shadow or live.',
    changedField('mode'),
    aboutRule,
  ),
  underwriting_auto_rule_tested: event(
    object({
      ruleVersion,
      applications: integer({ examples: [120], description: 'The number of applications in the test.' }),
      decided: integer({
        examples: [96],
        description: 'The number of applications on which a person decided.',
      }),
      agree: integer({ examples: [31], description: 'The decisions with which the rule agrees.' }),
      disagree: integer({ examples: [2], description: 'The decisions with which the rule disagrees.' }),
    }),
    'An automatic underwriting rule was compared with the decisions of people.',
    noticeOf(
      'tested',
      '{actor} tested {record} with {applications|–} applications: it agrees with {agree|–} decisions and disagrees with {disagree|–}.',
    ),
    aboutRule,
  ),
});
