import { readFileSync } from 'node:fs';
import Ajv, { type ErrorObject } from 'ajv';
import { nullable, object, optional, partial, type TSchema } from '../shared/schema.ts';
import { addKnownFormats } from './build/formats.ts';
import { StageSettings } from './stage-settings.ts';
import { stageNamed, stageNames } from './stages.ts';

/**
 * The name of the overrides file in the working folder. Git ignores this file, so an upgrade does not change
 * it.
 */
export const overridesFile = 'stages.local.json';

/** The message is one sentence that lists all problems. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';
}

interface OverriddenStage {
  stage: StageSettings;
  /** A sentence for each source of overrides, with the names of the overridden settings. */
  used: string[];
}

type Overrides = Readonly<Record<string, unknown>>;

/**
 * Returns a stage with the overrides of `stages.local.json` and of the option `-c settings=…`. The option is JSON text
 * or an object. It takes precedence over the file and applies only to this stage. The value null removes an optional
 * setting. Throws InvalidSettings for invalid overrides of any stage, and an Error for an unknown stage.
 */
export function overriddenStage(name: string, option?: unknown): OverriddenStage {
  const stage = stageNamed(name);
  const sources = [
    { from: overridesFile, all: readJson(overridesFile, textOfFile()) },
    { from: '-c settings', all: option === undefined ? {} : { [name]: readJson('-c settings', option) } },
  ];
  const problems = sources.flatMap(({ from, all }) =>
    problemsIn(all).map((problem) => `${from}: ${problem}`),
  );
  if (problems.length > 0) throw new InvalidSettings(`${problems.join('; ')}.`);
  const own = sources.map(({ from, all }) => ({ from, overrides: all[name] as Overrides | undefined }));
  const values = Object.assign({}, stage, ...own.map(({ overrides }) => overrides));
  return {
    // The cast is safe, because the schema has validated the overrides.
    stage: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as StageSettings,
    used: own.flatMap(({ from, overrides = {} }) => {
      const names = Object.keys(overrides);
      return names.length === 0 ? [] : [`Settings of the stage ${name} from ${from}: ${names.join(', ')}.`];
    }),
  };
}

/** Returns an empty object if the file does not exist. */
function textOfFile(): string {
  try {
    return readFileSync(overridesFile, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}';
    throw error;
  }
}

/** Parses JSON text. Returns an object unchanged, because `cdk.json` can contain the option as an object. */
function readJson(from: string, given: unknown): Overrides {
  try {
    // The cast is safe, because `problemsIn` validates the type.
    return (typeof given === 'string' ? JSON.parse(given) : given) as Overrides;
  } catch {
    throw new InvalidSettings(`${from} is not valid JSON.`);
  }
}

const { name: _, ...overridable } = StageSettings.properties;
const required: readonly string[] = StageSettings.required;
const ofStage = object(
  Object.fromEntries(
    Object.entries(overridable).map(([setting, schema]: [string, TSchema]) => [
      setting,
      optional(required.includes(setting) ? schema : nullable(schema)),
    ]),
  ),
);
const schema = partial(Object.fromEntries(stageNames.map((name) => [name, ofStage])));

const ajv = new Ajv.default({ allErrors: true, verbose: true, strict: false });
addKnownFormats(ajv);

/** Returns a phrase for each problem, such as `prod.logDays must be one of 1, 7, 30, 90, 365`. */
function problemsIn(all: Overrides): string[] {
  const validate = ajv.compile(schema);
  validate(all);
  return (validate.errors ?? []).map(describeProblem);
}

function describeProblem({ instancePath, keyword, params, message, parentSchema }: ErrorObject): string {
  const place = instancePath.slice(1).replaceAll('/', '.') || 'the content';
  const unknown: unknown = params.additionalProperty;
  if (unknown !== undefined && instancePath === '')
    return `${unknown} is not a stage (${stageNames.join(', ')})`;
  if (unknown !== undefined) return `${place}.${unknown} is not a setting`;
  if (keyword === 'required') return `${place}.${params.missingProperty} is missing`;
  if (keyword === 'enum') return `${place} must be one of ${params.allowedValues.join(', ')}`;
  if (keyword === 'type') return `${place} must be of the type ${[params.type].flat()[0]}`;
  const [example] = parentSchema?.examples ?? [];
  if (keyword === 'pattern' || keyword === 'format') return `${place} must look like "${example}"`;
  return `${place} ${message}`;
}
