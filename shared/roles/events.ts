export {};

declare module '../events/data.ts' {
  interface NounEvents {
    role: {
      role_created: Changed;
      role_deleted: Nothing;
      role_permissions_updated: Changed;
    };
  }
}
