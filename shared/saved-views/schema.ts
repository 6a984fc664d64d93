import { pageFields, pageParameters } from '../endpoints/page-schema.ts';
import { viewedResources } from '../resources/derived.ts';
import { ApplicationSummary } from '../sales/applications/record/schema.ts';
import { Lead } from '../sales/leads/schema.ts';
import { Merchant } from '../sales/merchants/schema.ts';
import {
  array,
  boolean,
  nameText,
  nullable,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
  unsafe,
} from '../schema.ts';
import { Ticket } from '../support/tickets/schema.ts';
import { recordFields } from '../table/record-fields.ts';

/** The most views of an account. Requests for counts read all views, so they must fit into one page of a query. */
export const maxViews = 200;

/** A caller with one of these permissions may have views. */
export const viewPermissions = ['readLeads', 'readApplications', 'readMerchants', 'readTickets'] as const;

/** A saved query: parameters of the list with their values. The list's own schema validates it. */
export type SavedQuery = Readonly<Record<string, unknown>>;

const name = nameText({ examples: ['Leads without contact for a month'] });
const query = unsafe<SavedQuery>({
  type: 'object',
  additionalProperties: true,
  'x-max-bytes': 1024,
  description:
    'Parameters of the list with their values, such as filters and `search`. A value is a text, number or boolean, or an array of them. ' +
    'In `assignedTo`, `me` is the caller, and an email address is replaced by the id of its user. ' +
    'In `teamId` and `assignedTeamId`, `myTeam` is the team of the caller. If the caller has no team, `myTeam` is rejected, like `me` from an API key. ' +
    'A time can be relative to the time of the request, as in `-7d` or `+12h` (`h`, `d` and `w` are hours, days and weeks), ' +
    'or to the start of the current day in the account’s time zone, as in `today` or `today+1d`.',
  examples: [{ lastContactedBefore: '-30d', archived: false }],
});
const sort = string({
  maxLength: 200,
  examples: ['lastContacted'],
  description: 'As in requests of the list.',
});
const sharedWith = oneOf(['me', 'team', 'everyone'], {
  description:
    'The callers who see the view: its creator, all members of the team of the caller who shared it, or all members and API keys of the account. The creator always sees it.',
  examples: ['everyone'],
});
const resource = oneOf(viewedResources, { description: 'The record type of the list.' });

/** A saved view in a response. */
export const SavedView = object({
  ...recordFields,
  resource,
  name,
  query,
  sort: optional(sort),
  sharedWith,
  teamId: optional(recordId({ readOnly: true, description: 'The team, if the view is shared with a team.' })),
  builtIn: boolean({
    readOnly: true,
    description: 'Every account has the built-in views. They cannot change.',
  }),
});
export type SavedView = Static<typeof SavedView>;

/** A saved view as stored. `owner` is the creator, as `principalKeyOf` returns it. */
export type StoredView = Omit<SavedView, 'builtIn'> & { owner: string };

export const SavedViewInput = object({ resource, name, query, sort: optional(sort), sharedWith });

export const SavedViewPatch = object({
  name: optional(name),
  query: optional(query),
  sort: optional(nullable(sort)),
  sharedWith: optional(sharedWith),
});

export const ViewCounts = object({
  data: array(
    object({
      id: recordId({ description: 'The id of the view.' }),
      count: unsafe<number | string | null>({
        type: ['integer', 'string', 'null'],
        description:
          'The number of records. A text such as `1000+` or `12+` is a lower bound. Null if the query is rejected for this caller, such as `me` for an API key.',
        examples: [12],
      }),
    }),
  ),
});

/** The query of `GET /views/{id}/records`. */
export const ViewPageQuery = object(pageParameters);

/** A page of the list of a view. */
export const ViewPage = object({
  ...pageFields(
    unsafe<Lead | ApplicationSummary | Merchant | Ticket>({
      anyOf: [Lead, ApplicationSummary, Merchant, Ticket],
      description: 'A record as in the list of the view’s resource.',
    }),
    true,
  ),
  hint: optional(
    string({
      description:
        'Why the page is empty, if a filter of the view refers only to records that were deleted, such as a team.',
      examples: ['No record of the filter teamId exists any more. Change or delete the view.'],
    }),
  ),
});
