import { _, type Ajv, type KeywordCxt, str } from 'ajv';
import { regexpCode } from 'ajv/dist/compile/codegen/code.js';

/**
 * How a number of at most 15 digits prints, so many of them behind the point. What is smaller than a millionth prints
 * with an exponent, and has too many.
 */
const printed = (places: number) => new RegExp(`^-?(?=(?:\\.?\\d){1,15}$)\\d+(?:\\.\\d{1,${places}})?$`);

/**
 * Teaches a compiler `x-decimal-places`, which the word `decimal` of shared/schema.ts writes: it looks at the digits that
 * the number prints, not at what is left of a division of doubles. An `x-` word, so that OpenAPI lets it be.
 */
export function addDecimalPlaces(ajv: Pick<Ajv, 'addKeyword'>): void {
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
}
