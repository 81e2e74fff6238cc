import { ACCOUNT_MODALS } from './account/modals';
import { SUBSCRIPTION_MODALS } from './billing/modals';
import { GALLERY_MODALS } from './gallery/modals';
import { HELP_MODALS } from './help/modals';
import { LOGIN_MODALS } from './identity/modals';
import { ONBOARDING_MODALS } from './identity/onboarding/modals';
import type { ModalRegistry } from './modals/catalogue';
import { SECRET_MENU_MODALS } from './settings/secret-menu/modals';
import { SHELL_MODALS } from './shell/modals';
import { TASK_MODALS } from './tasks/modals';
import { UPLOAD_MODALS } from './upload/modals';

export const MODALS: ModalRegistry = {
  ...ACCOUNT_MODALS,
  ...GALLERY_MODALS,
  ...TASK_MODALS,
  ...HELP_MODALS,
  ...LOGIN_MODALS,
  ...ONBOARDING_MODALS,
  ...SECRET_MENU_MODALS,
  ...SHELL_MODALS,
  ...SUBSCRIPTION_MODALS,
  ...UPLOAD_MODALS,
};
