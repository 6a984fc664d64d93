import createLeadSource from '../../../functions/lead-sources/create-lead-source.ts';
import createLead from '../../../functions/leads/create-lead.ts';
import createLookupOption from '../../../functions/lookups/create-lookup-option.ts';
import createMerchant from '../../../functions/merchants/create-merchant.ts';
import createMid from '../../../functions/merchants/create-mid.ts';
import createNote from '../../../functions/merchants/create-note.ts';
import createTeam from '../../../functions/teams/create-team.ts';
import createTicket from '../../../functions/tickets/create-ticket.ts';
import createUser from '../../../functions/users/create-user.ts';
import { check } from '../../../shared/endpoints/validation.ts';
import { ApiError, type FieldError } from '../../../shared/errors.ts';
import { maxMids } from '../../../shared/sales/mids/schema.ts';
import { array, object, optional, type TProperties, type TSchema } from '../../../shared/schema.ts';
import { compileValidators } from '../../build/validators.ts';

interface Creation {
  contract: { path: string; body?: TSchema; params?: TSchema };
}

/** The largest number of notes in one row. */
const maxNotes = 100;

/** The endpoint that creates each kind of record. A merchant's row may also contain its MIDs and notes. */
const creations: Record<string, Creation & { children?: Record<string, [Creation, number]> }> = {
  teams: createTeam,
  users: createUser,
  'lead-sources': createLeadSource,
  leads: createLead,
  merchants: {
    contract: createMerchant.contract,
    children: { mids: [createMid, maxMids], notes: [createNote, maxNotes] },
  },
  mids: createMid,
  notes: createNote,
  lookups: createLookupOption,
  tickets: createTicket,
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
  /**
   * Validates a body with the rules of the service and returns the errors. Also converts date-times and adds
   * defaults to the body.
   */
  validate(body: Record<string, unknown>): readonly FieldError[];
}

export const resourceNames = Object.keys(creations);

const propertiesOf = (schema: TSchema | undefined): TProperties =>
  (schema as { properties?: TProperties } | undefined)?.properties ?? {};

/** Compiles the validator of a resource's rows. Throws for a name that is not in `resourceNames`. */
export function resourceNamed(name: string): ImportedResource {
  const creation = creations[name];
  if (!creation) throw new Error(`Unknown resource ${name}.`);
  const { contract, children = {} } = creation;
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
