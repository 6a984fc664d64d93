import { _, type Ajv, type AnySchemaObject, type KeywordCxt, str } from 'ajv';
import { regexpCode } from 'ajv/dist/compile/codegen/code.js';
import { textForms, urlSyntax, visibleCharacter } from '../../shared/formats.ts';

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
 * - `x-redacts` (`sensitive`, `credential`), `x-expiry`, `x-sort-fields`, `x-text` and `x-volatile` validate nothing.
 *
 * The build adds the keywords `textForm`, `visibleText` and `webAddress` to requests (see `text-rules.ts`).
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
  ajv.addKeyword({ keyword: 'x-text', schemaType: 'string' });
  ajv.addKeyword({ keyword: 'x-expiry', schemaType: 'boolean' });
  addTextKeywords(ajv);
  ajv.addKeyword({ keyword: 'x-sort-fields', schemaType: 'array' });
}

function addTextKeywords(ajv: Pick<Ajv, 'addKeyword'>): void {
  ajv.addKeyword({
    keyword: 'textForm',
    type: 'string',
    schemaType: 'string',
    code: (context: KeywordCxt) =>
      context.fail(_`!${sharedPattern(context, formOf(context.schema).form)}.test(${context.data})`),
    error: { message: ({ schema }) => formOf(schema).message },
  });
  ajv.addKeyword({
    keyword: 'visibleText',
    type: 'string',
    schemaType: 'boolean',
    code: (context: KeywordCxt) =>
      context.fail(
        _`${context.data} !== "" && !${sharedPattern(context, visibleCharacter)}.test(${context.data})`,
      ),
    error: { message: 'must contain a visible character' },
  });
  ajv.addKeyword({
    keyword: 'webAddress',
    type: 'string',
    schemaType: 'boolean',
    // The pattern of the schema checks the scheme.
    code: (context: KeywordCxt) =>
      context.fail(
        _`!${sharedPattern(context, urlSyntax)}.test(${context.data}) || !URL.canParse(${context.data})`,
      ),
    error: { message: 'must be an absolute URL without user name and password' },
  });
}

const formOf = (name: string) => textForms[name as keyof typeof textForms];

/** Declares a regular expression once for all schemas of a module. */
const sharedPattern = ({ gen }: KeywordCxt, pattern: RegExp) =>
  gen.scopeValue('pattern', { key: pattern.toString(), ref: pattern, code: regexpCode(pattern) });

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
