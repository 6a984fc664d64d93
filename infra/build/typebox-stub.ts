/**
 * Replaces TypeBox in bundles, which contain compiled validators instead of schemas. The remaining code reads only the
 * fields of an object schema (to compose schemas) and the type of a schema (in `nullable`).
 */
const typed = (type: string) => () => ({ type });

const Fields = (properties: object) => ({ type: 'object', properties });
const [boolean, integer, list, number, text] = ['boolean', 'integer', 'array', 'number', 'string'].map(typed);
const same = <S>(schema: S): S => schema;

export {
  boolean as Boolean,
  Fields as Object,
  integer as Integer,
  list as Array,
  number as Number,
  same as Optional,
  same as Unsafe,
  text as String,
};
