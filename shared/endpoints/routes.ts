interface Route {
  method: string;
  path: string;
}

/** A matching route and the values of its parameters. */
export interface Match<R extends Route> {
  route: R;
  params: Record<string, string>;
}

/**
 * Chooses the route as API Gateway does: a route with a literal segment takes precedence over a route with a
 * parameter. Parameters are not decoded.
 */
export function matchRoute<R extends Route>(
  routes: readonly R[],
  method: string,
  path: string,
): Match<R> | undefined {
  return matchesOf(
    routes.filter((route) => route.method === method),
    path,
  )[0];
}

/** Returns the methods of the most specific routes that match the path. */
export function methodsOf(routes: readonly Route[], path: string): string[] {
  const matches = matchesOf(routes, path);
  const [first] = matches;
  return matches
    .filter((match) => first && parametersOf(match) === parametersOf(first))
    .map(({ route }) => route.method);
}

/** Returns the path of the most specific route that matches the path, such as `/leads/{leadId}`. */
export const patternOf = (routes: readonly Route[], path: string): string | undefined =>
  matchesOf(routes, path)[0]?.route.path;

/** The routes that match a path, the most specific first. */
const matchesOf = <R extends Route>(routes: readonly R[], path: string): Match<R>[] =>
  routes
    .map((route) => ({ route, params: paramsOf(route.path, path) }))
    .filter((match): match is Match<R> => match.params !== undefined)
    .sort((one, other) => parametersOf(one) - parametersOf(other));

const parametersOf = ({ params }: Match<Route>): number => Object.keys(params).length;

function paramsOf(template: string, path: string): Record<string, string> | undefined {
  const [expected, actual] = [template.split('/'), path.split('/')];
  if (expected.length !== actual.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = actual[index] ?? '';
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (name === undefined ? part !== value : value === '') return undefined;
    if (name !== undefined) params[name] = value;
  }
  return params;
}
