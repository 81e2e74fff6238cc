import type { RouteSpec } from './http/route.js';
import { checkoutRoutes } from './resources/billing/checkouts.js';
import { giftCodeRoutes, mobileRoutes } from './resources/billing/gift-codes.js';
import { paymentRoutes } from './resources/billing/payments.js';
import { priceRoutes } from './resources/billing/prices.js';
import { subscriptionRoutes } from './resources/billing/subscriptions.js';
import { upgradeRoutes } from './resources/billing/upgrades.js';
import { videoLimitRoutes } from './resources/billing/video-limits.js';
import { captchaRoutes } from './resources/captcha.js';
import { pictureLinkRoutes } from './resources/media/picture-links.js';
import { resultRoutes } from './resources/media/results.js';
import { taskRoutes } from './resources/media/tasks.js';
import { sandboxRoutes } from './resources/sandbox/sandbox.js';
import { sandboxMailRoutes, sandboxMobileRoutes } from './resources/sandbox/sandbox-mail.js';
import { sandboxPaymentRoutes } from './resources/sandbox/sandbox-payments.js';
import { settingsRoutes } from './resources/settings.js';
import { staffRoutes } from './resources/users/staff.js';
import { userExportRoutes } from './resources/users/user-export.js';
import { userRoutes } from './resources/users/users.js';

/** A test fails when `api` serves other routes under {@link BASE_PATH}. */
export const ROUTES: readonly RouteSpec[] = [
  ...Object.values(userRoutes),
  ...Object.values(userExportRoutes),
  ...Object.values(taskRoutes),
  ...Object.values(resultRoutes),
  ...Object.values(pictureLinkRoutes),
  ...Object.values(staffRoutes),
  ...Object.values(captchaRoutes),
  ...Object.values(mobileRoutes),
  ...Object.values(priceRoutes),
  ...Object.values(checkoutRoutes),
  ...Object.values(paymentRoutes),
  ...Object.values(subscriptionRoutes),
  ...Object.values(upgradeRoutes),
  ...Object.values(videoLimitRoutes),
  ...Object.values(settingsRoutes),
  ...Object.values(giftCodeRoutes),
];

/** Routes that exist only with sandbox adapters. */
export const SANDBOX_ROUTES: readonly RouteSpec[] = [
  ...Object.values(sandboxRoutes),
  ...Object.values(sandboxMailRoutes),
  ...Object.values(sandboxMobileRoutes),
  ...Object.values(sandboxPaymentRoutes),
];
