import type { ApplicationAdmin, InfoRequest } from './schema.ts';

/** Marks requests for information as answered by a change. Returns the same object if the change answers no request. */
export function markAnswered(
  admin: ApplicationAdmin,
  isAnswered: (request: InfoRequest) => boolean,
): ApplicationAdmin {
  const open = admin.infoRequested ?? [];
  if (!open.some((request) => !request.answered && isAnswered(request))) return admin;
  const infoRequested = open.map((request) =>
    isAnswered(request) ? { ...request, answered: true } : request,
  );
  return { ...admin, infoRequested };
}

/**
 * Reports whether a change of the application answers an information request. A change of `basics.dbaZip` also answers
 * a request for `basics`.
 */
export const isAnsweredBy =
  (changed: readonly string[]) =>
  ({ field }: InfoRequest): boolean =>
    field !== undefined &&
    changed.some(
      (path) => path === field || (path.startsWith(field) && '.['.includes(path.charAt(field.length))),
    );
