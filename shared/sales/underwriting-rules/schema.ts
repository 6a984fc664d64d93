import {
  array,
  boolean,
  dateTime,
  integer,
  multilineText,
  nameText,
  nullable,
  number,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
  unsafe,
} from '../../schema.ts';
import type { FieldUses } from '../../search/indexed-fields.ts';
import { priorities } from '../../sla/schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { ReadinessFact } from '../applications/record/fact-schema.ts';
import { decisions, InfoRequest, ruleActions, ruleModes } from '../applications/record/schema.ts';

/** The most rules of an account that are not archived. Each submission runs all of them that are not off. */
export const maxRules = 50;
/** The most archived rules of an account. */
export const maxArchivedRules = 1000;

const { answered, ...requested } = InfoRequest.properties;

/** The action of a rule. A rule never rejects an application. `checkDefinition` checks which fields a kind has. */
export const RuleAction = object(
  {
    kind: oneOf(ruleActions, { examples: ['flag'] }),
    reason: optional(
      multilineText({
        minLength: 1,
        maxLength: 1000,
        examples: ['The volume is high for a young business.'],
        description:
          'The reason of the decision, or of the flag. Required for request_information and flag, optional for approve.',
      }),
    ),
    requested: optional(
      array(object(requested), {
        minItems: 1,
        maxItems: 20,
        examples: [[{ documentKey: 'voided-check', message: 'Please upload a voided check.' }]],
        description:
          'For request_information: the fields and documents, as in a decision. The document `driver-license` is requested for each owner. A rule requests information from an application only once.',
      }),
    ),
    assignedTo: optional(
      string({
        minLength: 1,
        maxLength: 254,
        examples: ['214563398120449'],
        description:
          'For assign: the id or email of the underwriter. An email address is replaced by the id of its user.',
      }),
    ),
    priority: optional(oneOf(priorities, { description: 'For assign: the priority of the application.' })),
  },
  {
    examples: [{ kind: 'flag', reason: 'The volume is high for a young business.' }],
    description: 'The action on an application if the condition is true.',
  },
);
export type RuleAction = Static<typeof RuleAction>;

const when = unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
  'x-max-bytes': 8192,
  description:
    'The condition. It has one of these forms: `{"all": […]}`, `{"any": […]}`, `{"not": …}`, `{"anyOwner": …}`, ' +
    '`{"method": ["ecommerce"]}`, `{"filled": field}`, `{"isMissing": field}`, `{"yes": field}`, `{"field": …, "among": ["llc", 5814]}`, ' +
    '`{"field": …, "between": {"from": 1, "to": 5}}`, `{"field": …, "age": {"from": 30}}` (days), `{"field": …, "lessThan": field}`, ' +
    '`{"total": [fields], "between": {"from": 50}}`, `{"collisions": 1}`, and for sensitive fields `{"field": …, "fault": "ssn_digits"}`, ' +
    '`{"field": …, "sharedByOwners": true}` and `{"field": …, "duplicate": true}`. ' +
    'A field is a field of the form such as `basics.dbaState` or `businessOwners[].name`, or one of `risk.score`, `risk.level`, ' +
    '`readiness.isComplete`, `readiness.percentage`, `readiness.missingFields`, `readiness.warnings`, `documents.percentage`, ' +
    '`documents.missing`, `owners.count`, `application.createdAt` and `application.completedAt`. At most 50 parts, 8 levels and 200 values. ' +
    'A condition on an empty field is unknown, neither true nor false. This includes `not` such a condition, and a `total` of which one field is empty. ' +
    'Only `filled` and `isMissing` are true or false for an empty field. `all` is false if one part is false, `any` is true if one part is true; ' +
    'otherwise, one unknown part makes them unknown. A rule with an unknown condition does not act.',
  examples: [{ all: [{ field: 'risk.score', between: { to: 20 } }, { yes: 'readiness.isComplete' }] }],
});

const name = nameText({ examples: ['Small retail businesses'] });
const description = multilineText({ examples: ['Approves complete applications with a low risk.'] });
const priority = integer({
  minimum: 1,
  maximum: 1000,
  examples: [100],
  description: 'Rules run in this order, the smallest number first. Default 100.',
});
const ruleVersion = integer({
  readOnly: true,
  examples: [1],
  description: 'Increases by 1 with every change of when, action or priority.',
});
const count = (text: string) => integer({ minimum: 0, examples: [12], description: text });

/** The test of the present version of a rule with the most decided applications. */
const RuleTest = object(
  {
    applications: count('The number of applications in the test.'),
    decided: count('The number of these applications on which a person decided.'),
    testedAt: dateTime(),
    testedBy: string({ examples: ['grace@example.com'] }),
  },
  { readOnly: true },
);

export const UnderwritingRule = object({
  ...recordFields,
  name,
  description: optional(description),
  when,
  action: RuleAction,
  priority,
  mode: oneOf(ruleModes, {
    readOnly: true,
    examples: ['shadow'],
    description: 'off: the rule does not run. shadow: it records what it would have done. live: it acts.',
  }),
  ruleVersion,
  archived: boolean({ readOnly: true }),
  tested: optional(RuleTest),
});
export type UnderwritingRule = Static<typeof UnderwritingRule>;

/** The fields of the list of rules, which `GET /search` also reads. */
export const listedRuleFields = {
  createdAt: ['sort'],
  updatedAt: ['sort'],
  name: ['filter', 'search', 'sort'],
  description: ['search'],
  priority: ['sort'],
  mode: ['filter', 'sort'],
  createdBy: ['filter'],
} satisfies FieldUses;

/** A rule as stored. `writer` is the author of the present version, as `principalKeyOf` returns it. */
export type StoredRule = UnderwritingRule & { writer: string };

export const RuleInput = object({
  name,
  description: optional(description),
  when,
  action: RuleAction,
  priority: optional(priority),
});
export type RuleInput = Static<typeof RuleInput>;

export const RulePatch = object({
  name: optional(name),
  description: optional(nullable(description)),
  when: optional(when),
  action: optional(RuleAction),
  priority: optional(priority),
});
export type RulePatch = Static<typeof RulePatch>;

export const ToggleInput = object({
  mode: oneOf(ruleModes, { examples: ['shadow'] }),
  confirmFewApplications: optional(
    boolean({
      description: 'Allows `live` for a version that was tested against fewer than 20 decided applications.',
    }),
  ),
});

const from = dateTime({ description: 'The start of the period.', examples: ['2026-01-01T00:00:00.000Z'] });
const to = dateTime({
  description: 'The end of the period, at most 731 days after the start. Default: the time of the request.',
  examples: ['2026-07-01T00:00:00.000Z'],
});

/** A period of submissions. */
export const PeriodInput = object({ from, to: optional(to) });

/** The query of a report. */
export const ReportQuery = object({
  from: optional(
    dateTime({
      description: 'The start of the period. Default: 30 days before its end.',
      examples: ['2026-06-01T00:00:00.000Z'],
    }),
  ),
  to: optional(to),
});

export const UnsavedTestInput = object({
  rule: object(
    { when, action: RuleAction, priority: optional(priority) },
    {
      examples: [
        {
          when: { field: 'risk.score', between: { to: 20 } },
          action: { kind: 'approve' },
        },
      ],
    },
  ),
  from,
  to: optional(to),
});

const actionName = oneOf(ruleActions, { examples: ['approve'] });
const ruleReference = {
  ruleId: recordId({ description: 'The id of the rule.' }),
  name: string({ examples: ['Small retail businesses'] }),
  version: integer({ examples: [1], description: 'The `ruleVersion` of the rule.' }),
};

const TestExample = object({
  applicationId: string({ examples: ['app_65YB3N0G2M1'] }),
  submittedAt: dateTime(),
  decision: optional(oneOf(decisions, { description: 'The decision of a person.' })),
  agrees: optional(boolean({ description: 'Whether the rule agrees with the decision of a person.' })),
  actedFirst: optional(object(ruleReference, { description: 'The live rule that would have acted first.' })),
  facts: array(ReadinessFact),
});
export type TestExample = Static<typeof TestExample>;

/** The comparison of a rule with the decisions of people. */
export const RuleComparison = object({
  applications: count(
    'The number of applications that were submitted in the period. Each application counts once, even if it was submitted again.',
  ),
  decided: count('The number of these applications on which a person decided.'),
  actions: array(
    object({
      action: actionName,
      applications: count(
        'The number of applications for which the condition was true at one of their submissions. The last of these submissions is compared.',
      ),
      acting: count('The number of these submissions for which no other live rule would have acted first.'),
      agree: count(
        'The number of these submissions for which the rule agrees with the decision of a person.',
      ),
      disagree: count('The number of these submissions for which the rule disagrees.'),
      undecided: count('The number of these submissions without a decision of a person.'),
      unknown: optional(
        count(
          'The number of applications for which the condition was never true, and unknown at the last submission.',
        ),
      ),
      medianHours: optional(
        number({
          examples: [26],
          description: 'The median of the hours until the decision of a person, with two significant digits.',
        }),
      ),
    }),
    {
      description:
        'approve agrees with approved, request_information with info_requested, flag with rejected and info_requested, and assign with the same underwriter and priority at the decision.',
    },
  ),
  actedFirst: array(object({ ...ruleReference, applications: count('The number of submissions.') }), {
    description: 'The other live rules that would have acted first.',
  }),
  examples: array(TestExample, { description: 'At most 50 submissions. Disagreements come first.' }),
});
export type RuleComparison = Static<typeof RuleComparison>;

export const RuleTestRun = object({
  testId: optional(
    recordId({
      description:
        'The id of a test that continues in the background: GET …/tests/{testId} returns its progress.',
    }),
  ),
  status: oneOf(['completed', 'running', 'cancelled', 'failed'], {
    examples: ['completed'],
    description: 'cancelled: the rule changed during the test.',
  }),
  ruleVersion: optional(integer({ examples: [1] })),
  from,
  to,
  applications: count('The number of applications that were evaluated until now.'),
  result: optional(RuleComparison),
});
export type RuleTestRun = Static<typeof RuleTestRun>;

export const RuleTestParams = object({ id: recordId(), testId: recordId() });

export const RuleReport = object({
  from,
  to,
  submissions: count('The number of submissions in the period.'),
  data: array(
    object({
      ...ruleReference,
      shadow: count('The number of submissions for which the rule applied in the mode shadow.'),
      applied: count('The number of submissions for which the condition was true.'),
      acted: count('The number of submissions on which the rule acted.'),
      overruled: count('The number of submissions for which a person later decided otherwise.'),
    }),
    { description: 'One entry for each version of a rule that ran.' },
  ),
});
export type RuleReport = Static<typeof RuleReport>;
