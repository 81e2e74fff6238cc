import { ACCOUNT_MODALS } from './features/account/modals';
import { GALLERY_MODALS } from './features/gallery/modals';
import { HISTORY_MODALS } from './features/history/modals';
import { LOGIN_MODALS } from './features/login/modals';
import { ABOUT_MODAL } from './features/modals/about-modal';
import type { ModalRegistry } from './features/modals/definition';
import { ONBOARDING_MODALS } from './features/onboarding/modals';
import { SHELL_MODALS } from './features/shell/modals';
import { SUBSCRIPTION_MODALS } from './features/subscription/modals';
import { UPLOAD_MODALS } from './features/upload/modals';

/** The modals of all features. */
export const MODALS: ModalRegistry = {
  ...ABOUT_MODAL,
  ...ACCOUNT_MODALS,
  ...GALLERY_MODALS,
  ...HISTORY_MODALS,
  ...LOGIN_MODALS,
  ...ONBOARDING_MODALS,
  ...SHELL_MODALS,
  ...SUBSCRIPTION_MODALS,
  ...UPLOAD_MODALS,
};
