import { _, type Ajv, type AnySchemaObject, type KeywordCxt, str } from 'ajv';
import { regexpCode } from 'ajv/dist/compile/codegen/code.js';

/**
 * Matches a number as JavaScript prints it, with at most 15 digits and at most `places` decimal places. JavaScript
 * prints numbers below a millionth with an exponent, so these numbers do not match.
 */
const printed = (places: number) => new RegExp(`^-?(?=(?:\\.?\\d){1,15}$)\\d+(?:\\.\\d{1,${places}})?$`);

/**
 * Adds our keywords, which shared/schema.ts uses. The prefix `x-` makes them valid in OpenAPI.
 * - `x-decimal-places` (`decimal`) validates the printed digits, because `multipleOf` divides floating-point
 *   numbers, which is inexact.
 * - `x-max-bytes` (`openObject`) is the maximum size of a value as JSON in UTF-8.
 * - `x-redacts` (`sensitive`, `credential`), `x-sort-fields` and `x-volatile` validate nothing.
 *
 * If Ajv's option `discriminator` is on, also replaces the message of its keyword `discriminator` (`union`).
 */
export function addKeywords(ajv: Pick<Ajv, 'addKeyword' | 'getKeyword' | 'removeKeyword'>): void {
  nameAllowedVariants(ajv);
  ajv.addKeyword('x-volatile');
  ajv.addKeyword({
    keyword: 'x-decimal-places',
    type: 'number',
    schemaType: 'number',
    code: (context: KeywordCxt) =>
      context.fail(_`!${regexpCode(printed(context.schema))}.test(String(${context.data}))`),
    error: {
      message: ({ schema }) => str`must have at most 15 digits and ${schema} decimal places`,
    },
  });
  ajv.addKeyword({
    keyword: 'x-max-bytes',
    type: 'object',
    schemaType: 'number',
    code: (context: KeywordCxt) =>
      context.fail(_`Buffer.byteLength(JSON.stringify(${context.data})) > ${context.schema}`),
    error: { message: ({ schema }) => str`must have at most ${schema} bytes as JSON` },
  });
  ajv.addKeyword({ keyword: 'x-redacts', schemaType: 'string' });
  ajv.addKeyword({ keyword: 'x-sort-fields', schemaType: 'array' });
}

/** Replaces the error for an unknown variant of a union with an error that lists the allowed variants. */
function nameAllowedVariants(ajv: Pick<Ajv, 'addKeyword' | 'getKeyword' | 'removeKeyword'>): void {
  const definition = ajv.getKeyword('discriminator');
  if (typeof definition !== 'object') return;
  ajv.removeKeyword('discriminator');
  ajv.addKeyword({
    ...definition,
    error: {
      message: ({ params: { tag }, schema: { propertyName }, parentSchema }) => {
        const variants: AnySchemaObject[] = parentSchema?.oneOf;
        const texts = variants.flatMap(({ properties }) => properties[propertyName].enum);
        return _`${tag} === undefined ? "is required" : ${`must be one of ${texts.join(', ')}`}`;
      },
      // Ajv's keyword `required` reports the field in the same parameter. Therefore the path of the error
      // ends with the field.
      params: ({ schema: { propertyName } }) => _`{missingProperty: ${propertyName}}`,
    },
  });
}
