interface Route {
  method: string;
  path: string;
}

/** A path's template and the values in it. */
export interface Match<R extends Route> {
  route: R;
  params: Record<string, string>;
}

/**
 * The route of a request as API Gateway would choose it: a literal segment wins over a parameter. Parameters come
 * as they stand in the path.
 */
export function matchRoute<R extends Route>(
  routes: readonly R[],
  method: string,
  path: string,
): Match<R> | undefined {
  return routes
    .filter((route) => route.method === method)
    .map((route) => ({ route, params: paramsOf(route.path, path) }))
    .filter((match): match is Match<R> => match.params !== undefined)
    .sort((one, other) => Object.keys(one.params).length - Object.keys(other.params).length)[0];
}

/** The methods of the most specific template that a path matches: a literal segment wins over a parameter. */
export function methodsOf(routes: readonly Route[], path: string): string[] {
  const matching = routes.flatMap(({ method, path: template }) => {
    const params = paramsOf(template, path);
    return params ? [{ method, parameters: Object.keys(params).length }] : [];
  });
  const fewest = Math.min(...matching.map(({ parameters }) => parameters));
  return matching.filter(({ parameters }) => parameters === fewest).map(({ method }) => method);
}

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
