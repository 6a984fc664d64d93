import { expect } from 'vitest';
import { permissionsOf } from '../../shared/endpoints/contract.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { permissionToRead } from '../../shared/security/permissions.ts';
import type { ErrorBody } from '../harness/call.ts';
import type { Tenant } from '../harness/tenant.ts';
import { nameOf } from './records.ts';

/** A text of a stored record, which occurs nowhere else. */
export interface Mark {
  text: string;
  /** The permission to read the record. */
  readBy: Permission;
  /** The creation and the field that contains the text: `POST /leads firstName`. */
  field: string;
}

const marks = new Map<string, Mark>();

/** Matches generated marks, and phone numbers with the area code 415. */
const form = /mark\d+x|\+1415\d{7}/g;

export function newMark(readBy: Permission, field: string, text = `mark${1000 + marks.size}x`): Mark {
  const made = { text, readBy, field };
  marks.set(made.text, made);
  return made;
}

/** Returns the marks that occur in a value, each once. */
export const marksIn = (value: unknown): Mark[] =>
  [...new Set(JSON.stringify(value ?? null).match(form))].flatMap((text) => marks.get(text) ?? []);

/**
 * The fields that accept no free text, by route, such as enums, dates and references. `marking` finds them: it adds each
 * field that an error lists.
 */
const unmarkedFields = new Map<string, Set<string>>();

/**
 * Returns the tenant with an administrator whose new records contain a mark in every field that accepts free text. The
 * values in `kept` are not replaced.
 */
export const marking = (owner: Tenant, kept: readonly string[]): Tenant => ({
  ...owner,
  admin: {
    ...owner.admin,
    async ok(endpoint, sent = {}) {
      const { contract } = endpoint;
      const permission = permissionsOf(contract).at(-1);
      if (contract.success !== 'created' || sent.body === undefined || !permission)
        return owner.admin.ok(endpoint, sent);
      const name = nameOf(contract);
      const unmarked = unmarkedFields.get(name) ?? new Set<string>();
      unmarkedFields.set(name, unmarked);
      const mark = (field: string, value: string) => {
        if (kept.includes(value) || isIn(unmarked, field)) return value;
        const { text } = newMark(permissionToRead(permission), `${name} ${field}`);
        return value.includes('@') ? `${text}@example.com` : text;
      };
      for (;;) {
        const body = withTexts(sent.body, mark) as typeof sent.body;
        const response = await owner.admin.call(endpoint, { ...sent, body });
        const { details = [] } = response.body as Partial<ErrorBody>;
        const fields = details.map(({ field }) => field);
        if (response.status !== 400 || fields.every((field) => isIn(unmarked, field))) {
          expect(response.status, `${name} ${JSON.stringify(response.body)}`).toBe(201);
          return response.body;
        }
        for (const field of fields) unmarked.add(field);
      }
    },
  },
});

/** Reports whether the fields include this field, or an object or array that contains it. */
const isIn = (fields: ReadonlySet<string>, path: string): boolean =>
  [...fields].some(
    (field) => path === field || (/^[.[]/.test(path.slice(field.length)) && path.startsWith(field)),
  );

/** Replaces every text in a JSON value. The path of a text has the form of the fields in errors: `owners[0].name`. */
function withTexts(value: unknown, replace: (path: string, text: string) => string, path = ''): unknown {
  if (typeof value === 'string') return replace(path, value);
  if (Array.isArray(value)) return value.map((one, index) => withTexts(one, replace, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => {
    const inner = path === '' ? name : `${path}.${name}`;
    return [name, withTexts(one, replace, inner)] as const;
  });
  return Object.fromEntries(entries);
}
