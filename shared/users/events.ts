export {};

declare module '../events/data.ts' {
  interface NounEvents {
    user: {
      admin_force_set_password: Nothing;
      user_account_settings_updated: Changed;
      user_added_to_account: Changed;
      user_created: Changed;
      user_deleted: Nothing;
      user_password_changed: { by: 'password' | 'token' };
      user_password_reset_requested: Nothing;
      user_permissions_set_directly: Changed;
      user_removed_from_account: Nothing;
      user_roles_updated: { from: string[]; to: string[] };
      user_updated: Changed;
    };
  }
}
