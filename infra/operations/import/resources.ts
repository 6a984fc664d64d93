import createLeadSource from '../../../functions/lead-sources/create-lead-source.ts';
import updateLeadSource from '../../../functions/lead-sources/update-lead-source.ts';
import createLead from '../../../functions/leads/create-lead.ts';
import updateLead from '../../../functions/leads/update-lead.ts';
import createLookupOption from '../../../functions/lookups/create-lookup-option.ts';
import createMerchant from '../../../functions/merchants/create-merchant.ts';
import createMid from '../../../functions/merchants/create-mid.ts';
import createNote from '../../../functions/merchants/create-note.ts';
import updateMerchant from '../../../functions/merchants/update-merchant.ts';
import createTeam from '../../../functions/teams/create-team.ts';
import updateTeam from '../../../functions/teams/update-team.ts';
import createTicket from '../../../functions/tickets/create-ticket.ts';
import createUser from '../../../functions/users/create-user.ts';
import { check } from '../../../shared/endpoints/validation.ts';
import { ApiError, type FieldError } from '../../../shared/errors.ts';
import { maxMids } from '../../../shared/sales/mids/schema.ts';
import { array, object, optional, type TProperties, type TSchema } from '../../../shared/schema.ts';
import { compileValidators } from '../../build/validators.ts';
import { type ResourceName, resourceNames } from './resource-names.ts';

interface Endpoint {
  contract: { method: string; path: string; body?: TSchema; params?: TSchema };
}

/**
 * How an import finds the existing record of a row: the fields that identify a record, the most reliable first, and the
 * endpoint that changes the record.
 */
export interface Matching {
  fields: readonly string[];
  method: 'PATCH' | 'PUT';
  path: string;
  /** The parameter of the path with the record's id. */
  param: string;
}

/** The largest number of notes in one row. */
const maxNotes = 100;

interface Declaration {
  create: Endpoint;
  /** The endpoint that changes a record, and the fields by which `--match` finds the record. */
  update?: Endpoint;
  matchBy?: readonly string[];
  /** A merchant's row may also contain its MIDs and notes. */
  children?: Record<string, [Endpoint, number]>;
}

/** Other resources have no field that two records would share only by mistake, or the service refuses such records. */
const declarations: Record<ResourceName, Declaration> = {
  teams: { create: createTeam, update: updateTeam, matchBy: ['name'] },
  users: { create: createUser },
  'lead-sources': { create: createLeadSource, update: updateLeadSource, matchBy: ['name'] },
  leads: { create: createLead, update: updateLead, matchBy: ['email', 'phone'] },
  merchants: {
    create: createMerchant,
    update: updateMerchant,
    matchBy: ['merchantName', 'legalName', 'dba'],
    children: { mids: [createMid, maxMids], notes: [createNote, maxNotes] },
  },
  mids: { create: createMid },
  notes: { create: createNote },
  lookups: { create: createLookupOption },
  tickets: { create: createTicket },
};

export interface ImportedResource {
  name: string;
  path: string;
  /** The fields of a row: the body of the request, the parameters of the path, and the children. */
  fields: TSchema;
  /** Fields of a row that are parameters of the path. */
  params: readonly string[];
  /** The fields of a row that contain child records. The children are created after the record. */
  children: readonly string[];
  /** Undefined if an import cannot find existing records. */
  matching: Matching | undefined;
  /**
   * Validates a body with the rules of the service and returns the errors. Also converts date-times and adds
   * defaults to the body.
   */
  validate(body: Record<string, unknown>): readonly FieldError[];
}

const propertiesOf = (schema: TSchema | undefined): TProperties =>
  (schema as { properties?: TProperties } | undefined)?.properties ?? {};

/** Compiles the validator of a resource's rows. Throws for a name that is not in `resourceNames`. */
export function resourceNamed(name: string): ImportedResource {
  const known = resourceNames.find((resource) => resource === name);
  if (!known) throw new Error(`Unknown resource ${name}.`);
  const {
    create: { contract },
    update,
    matchBy,
    children = {},
  } = declarations[known];
  const params = propertiesOf(contract.params);
  const fields = object({
    ...propertiesOf(contract.body),
    ...params,
    ...Object.fromEntries(
      Object.entries(children).map(([child, [{ contract }, maxItems]]) => [
        child,
        optional(array(object(propertiesOf(contract.body)), { maxItems })),
      ]),
    ),
  });
  const { body } = compileValidators({
    method: 'POST',
    path: contract.path,
    access: 'public',
    summary: '',
    body: fields,
    response: fields,
  });
  return {
    name,
    path: contract.path,
    fields,
    params: Object.keys(params),
    children: Object.keys(children),
    matching: update && matchBy && matchingBy(matchBy, update),
    validate(value) {
      try {
        check(body, value);
        return [];
      } catch (error) {
        if (error instanceof ApiError) return error.details ?? [];
        throw error;
      }
    },
  };
}

function matchingBy(fields: readonly string[], { contract: { method, path, params } }: Endpoint): Matching {
  const [param = ''] = Object.keys(propertiesOf(params));
  return { fields, method: method === 'PUT' ? 'PUT' : 'PATCH', path, param };
}
