/**
 * Stands in for TypeBox inside a bundle. There the schemas have become compiled validators, and nothing looks at them
 * any more but for the fields of an object, from which other schemas are put together, and for their type, which
 * `nullable` insists on.
 */
const typed = (type: string) => () => ({ type });

/** A schema of an object, as far as its fields. */
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
