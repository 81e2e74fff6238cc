import type { RouteSpec } from '../http/route.js';
import { captchaRoutes } from './captcha.js';
import { checkoutRoutes } from './checkouts.js';
import { consentRoutes } from './consents.js';
import { enhanceRoutes } from './enhance.js';
import { experimentRoutes } from './experiments.js';
import { giftCodeRoutes, mobileRoutes } from './gift-codes.js';
import { paymentRoutes, receiptRoutes } from './payments.js';
import { pluginKeyRoutes } from './plugin-keys.js';
import { priceRoutes } from './prices.js';
import { pictureLinkRoutes, resultRoutes } from './results.js';
import { settingsRoutes } from './settings.js';
import { sharingRoutes } from './sharings.js';
import { staffRoutes } from './staff.js';
import { subscriptionRoutes, upgradeRoutes } from './subscriptions.js';
import { supportRoutes } from './support.js';
import { taskRoutes } from './tasks.js';
import { userExportRoutes } from './user-export.js';
import { userRoutes } from './users.js';
import { videoLimitRoutes, videoRoutes } from './videos.js';
import { eventRoutes, monitoringRoutes } from './web-events.js';

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
