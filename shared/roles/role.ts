/** All roles of an account, as one item. */
export interface Roles {
  roles: Record<string, { id: number; name: string; flatPermissionsList: string[] }>;
}
