import type { RouteSpec } from '../http/route.js';
import { analyzeRoutes } from './analyze.js';
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
import { serviceStatusRoutes } from './service-status.js';
import { settingsRoutes } from './settings.js';
import { sharingRoutes } from './sharings.js';
import { staffRoutes } from './staff.js';
import { subscriptionRoutes, upgradeRoutes } from './subscriptions.js';
import { supportRoutes } from './support.js';
import { taskRoutes } from './tasks.js';
import { uploadTokenRoutes } from './upload-tokens.js';
import { usageRoutes } from './usage.js';
import { userExportRoutes } from './user-export.js';
import { userRoutes } from './users.js';
import { videoLimitRoutes, videoRoutes } from './videos.js';
import { eventRoutes, monitoringRoutes } from './web-events.js';
import { webhookRoutes } from './webhooks.js';

/**
 * Every route by its `operationId`, the name by which generated clients call it. A test fails when `api` serves other
 * routes under {@link BASE_PATH}.
 */
export const OPERATIONS: Readonly<Record<string, RouteSpec>> = {
  ...userRoutes,
  ...userExportRoutes,
  ...consentRoutes,
  ...pluginKeyRoutes,
  ...usageRoutes,
  ...webhookRoutes,
  ...taskRoutes,
  ...analyzeRoutes,
  ...enhanceRoutes,
  ...uploadTokenRoutes,
  ...resultRoutes,
  ...pictureLinkRoutes,
  ...videoRoutes,
  ...sharingRoutes,
  ...staffRoutes,
  ...experimentRoutes,
  ...captchaRoutes,
  ...mobileRoutes,
  ...priceRoutes,
  ...checkoutRoutes,
  ...paymentRoutes,
  ...subscriptionRoutes,
  ...receiptRoutes,
  ...upgradeRoutes,
  ...videoLimitRoutes,
  ...settingsRoutes,
  ...giftCodeRoutes,
  ...eventRoutes,
  ...supportRoutes,
  ...monitoringRoutes,
  ...serviceStatusRoutes,
};

/** See {@link OPERATIONS}. */
export const ROUTES: readonly RouteSpec[] = Object.values(OPERATIONS);
