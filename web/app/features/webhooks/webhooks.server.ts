import { randomUUID } from 'node:crypto';
import { may, WEBHOOK_ENDPOINTS_MAX, type WebhookEndpoint, webhookRoutes } from '@clearframe/contract';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { type Caller, callApi } from '../../http/api.server';
import { throwPageFor } from '../../http/problem.server';
import { dateFormatterFor } from '../../i18n/formatted-date';
import { languageOf, translatorFor } from '../../i18n/i18n.server';
import { consumeFlash } from '../../session/flash.server';
import { fetchMe } from '../../session/me.server';
import { asMember, type Exchange } from '../../session/visitor.server';
import { deliveryQueryIn } from './webhook-addresses';
import { deliveryViewOf, endpointViewOf, timeFormatterFor } from './webhooks-view.server';

/** What a form has done, for the page after it. */
const DONE = ['saved', 'turnedOn', 'turnedOff', 'deleted', 'tested', 'resent'] as const;
export type Done = (typeof DONE)[number];

/** A page of the log: each delivery shows up to 20 kB. */
const DELIVERIES_SHOWN = 10;

const listEndpoints = (caller: Caller) => callApi(webhookRoutes.listWebhookEndpoints, {}, caller);

/** @throws ApiError `request.not_found` */
export async function findEndpoint(id: string | undefined, caller: Caller): Promise<WebhookEndpoint> {
  const { data: endpoints } = await listEndpoints(caller);
  return endpoints.find((endpoint) => endpoint.id === id) ?? throwPageFor('request.not_found', caller.context);
}

export async function loadWebhooks({ request, context }: LoaderFunctionArgs) {
  const exchange = { request, context };
  const [{ data: endpoints, callbackSecretCreatedAt }, deliveries, page] = await Promise.all([
    asMember(request, context, (token) => listEndpoints({ ...exchange, token })),
    readDeliveries(exchange),
    readPage(exchange),
  ]);
  return {
    ...page,
    endpoints: endpoints.map((endpoint) => endpointViewOf(endpoint, page.language)),
    mayAdd: page.isInPlan && endpoints.length < WEBHOOK_ENDPOINTS_MAX,
    callbackSecretAt: callbackSecretCreatedAt && dateFormatterFor(page.language)(callbackSecretCreatedAt),
    deliveries,
  };
}

export async function loadEndpoint({ request, context, params }: LoaderFunctionArgs) {
  const exchange = { request, context };
  const endpoint = await asMember(request, context, (token) => findEndpoint(params.endpointId, { ...exchange, token }));
  const [deliveries, page] = await Promise.all([readDeliveries(exchange, endpoint.id), readPage(exchange)]);
  return { ...page, endpoint: endpointViewOf(endpoint, page.language), deliveries };
}

/** What both pages need. */
async function readPage(exchange: Exchange) {
  const { request } = exchange;
  const [user, t, language, flash] = await Promise.all([
    fetchMe(exchange),
    translatorFor(request, 'webhooks'),
    languageOf(request),
    consumeFlash(exchange),
  ]);
  const done = DONE.find((name) => name === flash?.message);
  return {
    title: t('title'),
    language,
    isInPlan: user !== null && may(user, 'plugin_key'),
    flash: flash && done ? { id: flash.id, done } : null,
    /** Of the next form that creates a secret. */
    requestId: randomUUID(),
  };
}

async function readDeliveries({ request, context }: Exchange, endpointId?: string) {
  const { filter, after } = deliveryQueryIn(new URL(request.url).searchParams);
  const query = {
    endpointId,
    status: filter === 'all' ? undefined : filter,
    startingAfter: z
      .uuid()
      .optional()
      .catch(undefined)
      .parse(after ?? undefined),
    limit: DELIVERIES_SHOWN,
  };
  const [{ data: list, hasMore }, language] = await Promise.all([
    asMember(request, context, (token) =>
      callApi(webhookRoutes.listWebhookDeliveries, { query }, { request, context, token }),
    ),
    languageOf(request),
  ]);
  const formatTime = timeFormatterFor(language);
  return {
    items: list.map((delivery) => deliveryViewOf(delivery, formatTime)),
    filter,
    isNewest: query.startingAfter === undefined,
    olderAfter: (hasMore && list.at(-1)?.id) || null,
  };
}

export type DeliveriesView = Awaited<ReturnType<typeof readDeliveries>>;
