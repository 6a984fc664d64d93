import type { ApplicationAdmin, InfoRequest } from './schema.ts';

/** What the underwriter asked for, with what was answered by now marked. The same object where nothing was. */
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

/** Whether one of these paths is the field that was asked for, or lies in it: `basics` asks for `basics.dbaZip` too. */
export const isAnsweredBy =
  (changed: readonly string[]) =>
  ({ field }: InfoRequest): boolean =>
    field !== undefined &&
    changed.some(
      (path) => path === field || (path.startsWith(field) && '.['.includes(path.charAt(field.length))),
    );
