import type {
  FirebaseSettings,
  IdentitySettings,
  OneTapSettings,
} from '../../../../server/config/identity-settings.ts';

/** What the browser is told about how people sign in here. */
export type IdentityView = IdentitySettings;
export type FirebaseView = FirebaseSettings;
export type OneTapView = OneTapSettings;
