import { _, type Ajv, type KeywordCxt, str } from 'ajv';
import { regexpCode } from 'ajv/dist/compile/codegen/code.js';

/**
 * How a number of at most 15 digits prints, so many of them behind the point. What is smaller than a millionth prints
 * with an exponent, and has too many.
 */
const printed = (places: number) => new RegExp(`^-?(?=(?:\\.?\\d){1,15}$)\\d+(?:\\.\\d{1,${places}})?$`);

/**
 * Teaches a compiler what JSON Schema has no word for. The words begin with `x-`, so that OpenAPI lets them be.
 *
 * `x-decimal-places`, which `decimal` of shared/schema.ts writes, looks at the digits that a number prints, not at what is
 * left of a division of doubles. `x-max-bytes`, which `openObject` writes, is the size of a value as JSON in UTF-8.
 * `x-redacts`, which `sensitive` and `credential` write, and `x-volatile` validate nothing.
 */
export function addKeywords(ajv: Pick<Ajv, 'addKeyword'>): void {
  ajv.addKeyword('x-volatile');
  ajv.addKeyword({
    keyword: 'x-decimal-places',
    type: 'number',
    schemaType: 'number',
    code: (context: KeywordCxt) =>
      context.fail(_`!${regexpCode(printed(context.schema))}.test(String(${context.data}))`),
    error: {
      message: ({ schema }) => str`must have at most 15 digits, ${schema} of them behind the point`,
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
}
