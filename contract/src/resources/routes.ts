import type { RouteSpec } from '../http/route.js';
import { checkoutRoutes } from './billing/checkouts.js';
import { giftCodeRoutes, mobileRoutes } from './billing/gift-codes.js';
import { paymentRoutes } from './billing/payments.js';
import { priceRoutes } from './billing/prices.js';
import { receiptRoutes } from './billing/receipts.js';
import { subscriptionRoutes } from './billing/subscriptions.js';
import { upgradeRoutes } from './billing/upgrades.js';
import { videoLimitRoutes } from './billing/video-limits.js';
import { captchaRoutes } from './captcha.js';
import { enhanceRoutes } from './media/enhance.js';
import { pictureLinkRoutes } from './media/picture-links.js';
import { resultRoutes } from './media/results.js';
import { sharingRoutes } from './media/sharings.js';
import { taskRoutes } from './media/tasks.js';
import { videoRoutes } from './media/videos.js';
import { sandboxRoutes } from './sandbox/sandbox.js';
import { sandboxMailRoutes, sandboxMobileRoutes } from './sandbox/sandbox-mail.js';
import { sandboxPaymentRoutes } from './sandbox/sandbox-payments.js';
import { settingsRoutes } from './settings.js';
import { supportRoutes } from './support.js';
import { monitoringRoutes } from './tracking/monitoring.js';
import { eventRoutes } from './tracking/web-events.js';
import { consentRoutes } from './users/consents.js';
import { experimentRoutes } from './users/experiments.js';
import { pluginKeyRoutes } from './users/plugin-keys.js';
import { staffRoutes } from './users/staff.js';
import { userExportRoutes } from './users/user-export.js';
import { userRoutes } from './users/users.js';

/** A test fails when `api` serves other routes under {@link BASE_PATH}. */
export const ROUTES: readonly RouteSpec[] = [
  ...Object.values(userRoutes),
  ...Object.values(userExportRoutes),
  ...Object.values(consentRoutes),
  ...Object.values(pluginKeyRoutes),
  ...Object.values(taskRoutes),
  ...Object.values(enhanceRoutes),
  ...Object.values(resultRoutes),
  ...Object.values(pictureLinkRoutes),
  ...Object.values(videoRoutes),
  ...Object.values(sharingRoutes),
  ...Object.values(staffRoutes),
  ...Object.values(experimentRoutes),
  ...Object.values(captchaRoutes),
  ...Object.values(mobileRoutes),
  ...Object.values(priceRoutes),
  ...Object.values(checkoutRoutes),
  ...Object.values(paymentRoutes),
  ...Object.values(subscriptionRoutes),
  ...Object.values(receiptRoutes),
  ...Object.values(upgradeRoutes),
  ...Object.values(videoLimitRoutes),
  ...Object.values(settingsRoutes),
  ...Object.values(giftCodeRoutes),
  ...Object.values(eventRoutes),
  ...Object.values(supportRoutes),
  ...Object.values(monitoringRoutes),
];

/** Routes that exist only with sandbox adapters. */
export const SANDBOX_ROUTES: readonly RouteSpec[] = [
  ...Object.values(sandboxRoutes),
  ...Object.values(sandboxMailRoutes),
  ...Object.values(sandboxMobileRoutes),
  ...Object.values(sandboxPaymentRoutes),
];
