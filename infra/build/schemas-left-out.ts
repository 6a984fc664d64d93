/**
 * Stands in for TypeBox inside a bundle. There the schemas have become compiled validators, and nothing looks at them
 * any more but for the fields of an object, from which other schemas are put together.
 */
const nothing = () => ({});

/** A schema of an object, as far as its fields. */
const Fields = (properties: object) => ({ properties });
const same = <S>(schema: S): S => schema;

export {
  Fields as Object,
  nothing as Array,
  nothing as Boolean,
  nothing as Integer,
  nothing as Number,
  nothing as String,
  same as Optional,
  same as Unsafe,
};
