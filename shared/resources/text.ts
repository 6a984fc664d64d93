/**
 * The text of a notification, as a template with placeholders:
 * - `{actor}`, `{label}`
 * - `{record}`, such as `the lead Ada Byron`, or `{Record}` at the start of a sentence
 * - `{Name}`, such as `Lead`
 * - `{fields}`: the names of the changed fields
 * - the name of a value in the event's data, which can be a list
 *
 * `{limit|its}` has a default. A part in brackets is omitted if a value in it is missing. In brackets, a period at the
 * end of a value is omitted, and so is the period after a value that ends with another mark.
 */
export interface EventText {
  /** The start of the subject line, which ends with the label. */
  title: string;
  body: string;
  /** True for errors. */
  error?: true;
  /** Replacements that apply if all conditions in `if` are met. Later variants replace earlier ones. */
  variants?: readonly Variant[];
}

interface Variant extends Partial<Omit<EventText, 'variants'>> {
  /** The value that each field of the event's data must have. True means any value, and false means no value. */
  if: Readonly<Record<string, string | boolean>>;
}

export const noticeOf = (
  title: string,
  body: string,
  more: Omit<EventText, 'title' | 'body'> = {},
): EventText => ({
  title: `{Name} ${title}`,
  body,
  ...more,
});

/** Example: `Grace created the lead Ada Byron.` */
export const did = (title: string, verb = title, more = ''): EventText =>
  noticeOf(title, `{actor} ${verb} {record}.${more}`);

export const changedNotice = noticeOf('changed', '{actor} changed {record}[: {fields}].');

/** Like `changedNotice`, for events that do not contain the changed fields. */
export const changedText = noticeOf('changed', '{actor} changed {record}.');

export const rotatedText = noticeOf('secret rotated', '{actor} rotated the secret of {record}.');

/** Example: `Grace changed the status of the ticket 7 from open to closed.` */
export const changedField = (what: string): EventText =>
  noticeOf(`${what} changed`, `{actor} changed the ${what} of {record}[ from {from}][ to {to}].`);

/** The text for a new or removed assignee. `field` is the assignee's field in the event's data. */
export const assigneeChanged = (title: string, field: string, role: string): EventText =>
  noticeOf(title, `{actor} changed the ${role} of {record}.`, {
    variants: [{ if: { [field]: false }, body: `{actor} removed the ${role} of {record}.` }],
  });

/** The text of a creation. A variant reports that a rotation found no assignee. */
export const createdOrUnassigned: EventText = {
  ...did('created'),
  variants: [
    {
      if: { unassigned: true },
      title: '{Name} without an assignee',
      body: '{actor} created {record}. The rotation found no assignee.',
    },
  ],
};

/** The end of a body that gives a reason, if there is one. */
export const because = '[ Reason: {reason}.]';
