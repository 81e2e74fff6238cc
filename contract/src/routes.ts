import type { RouteSpec } from './http/route.js';
import { captchaRoutes } from './resources/captcha.js';
import { checkoutRoutes } from './resources/checkouts.js';
import { giftCodeRoutes, mobileRoutes } from './resources/gift-codes.js';

import { paymentRoutes } from './resources/payments.js';
import { pictureLinkRoutes } from './resources/picture-links.js';
import { priceRoutes } from './resources/prices.js';
import { resultRoutes } from './resources/results.js';
import { sandboxRoutes } from './resources/sandbox.js';
import { sandboxMailRoutes, sandboxMobileRoutes } from './resources/sandbox-mail.js';
import { sandboxPaymentRoutes } from './resources/sandbox-payments.js';
import { settingsRoutes } from './resources/settings.js';
import { staffRoutes } from './resources/staff.js';
import { subscriptionRoutes } from './resources/subscriptions.js';
import { taskRoutes } from './resources/tasks.js';
import { userExportRoutes } from './resources/user-export.js';
import { userRoutes } from './resources/users.js';
import { videoLimitRoutes } from './resources/video-limits.js';

/** The whole call table. What `api` serves under {@link BASE_PATH} and what stands here are the same, or the build fails. */
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
  ...Object.values(videoLimitRoutes),
  ...Object.values(settingsRoutes),
  ...Object.values(giftCodeRoutes),
];

/** Rows that exist only while sandbox adapters are chosen. */
export const SANDBOX_ROUTES: readonly RouteSpec[] = [
  ...Object.values(sandboxRoutes),
  ...Object.values(sandboxMailRoutes),
  ...Object.values(sandboxMobileRoutes),
  ...Object.values(sandboxPaymentRoutes),
];
