import { useRevalidator } from '@remix-run/react';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/content/badge';
import { CodeBlock } from '../../ui/content/code-block';
import { buttonClass } from '../../ui/controls/button';
import { HiddenFields } from '../../ui/controls/choices';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { AppLink } from '../../ui/page/app-link';
import { LinkRow } from '../../ui/page/link-row';
import { DELIVERY_FILTERS, deliveriesAddress, LOG_ID } from './webhook-addresses';
import type { DeliveriesView } from './webhooks.server';
import type { DeliveryView } from './webhooks-view.server';

/** As other pages poll. */
const POLL_MS = 2_000;

interface DeliveryLogProps {
  readonly deliveries: DeliveriesView;
  /** Address of the page. */
  readonly page: string;
}

export function DeliveryLog({ deliveries: { items, filter, isNewest, olderAfter }, page }: DeliveryLogProps) {
  const { t } = useTranslation('webhooks');
  const isChanging = items.some(({ isDue }) => isDue);
  useRefresh(isChanging, items);
  return (
    <section id={LOG_ID} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="flex flex-col gap-1">
          <h2 className="text-title">{t('deliveries.title')}</h2>
          <p className="text-sm text-muted">{t('deliveries.kept')}</p>
        </div>
        <FilterLinks filter={filter} page={page} />
      </div>
      {items.length === 0 ? (
        <p className="rounded-card bg-well px-5 py-4 text-muted">{t('deliveries.none')}</p>
      ) : (
        <ul className="flex flex-col gap-1 rounded-card bg-well p-2">
          {items.map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        {isChanging && (
          <AppLink
            to={deliveriesAddress(page, filter)}
            reloadDocument
            className={`js:hidden ${buttonClass('quiet', 'small')} min-h-11`}
          >
            {t('deliveries.refresh')}
          </AppLink>
        )}
        {!isNewest && (
          <AppLink to={deliveriesAddress(page, filter)} className={`${buttonClass('quiet', 'small')} min-h-11`}>
            {t('deliveries.newest')}
          </AppLink>
        )}
        {olderAfter && (
          <AppLink
            to={deliveriesAddress(page, filter, olderAfter)}
            className={`${buttonClass('quiet', 'small')} min-h-11`}
          >
            {t('deliveries.older')}
          </AppLink>
        )}
      </div>
    </section>
  );
}

/** Reads the page again while an attempt is under way. */
function useRefresh(isChanging: boolean, items: readonly DeliveryView[]): void {
  const { revalidate } = useRevalidator();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer starts the next pause
  useEffect(() => {
    if (!isChanging) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') revalidate();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [isChanging, items, revalidate]);
}

function FilterLinks({ filter, page }: { readonly filter: DeliveriesView['filter']; readonly page: string }) {
  const { t } = useTranslation('webhooks');
  const links = DELIVERY_FILTERS.map((name) => ({
    to: deliveriesAddress(page, name),
    text: name === 'all' ? t('deliveries.all') : t(`deliveries.status.${name}`),
    isCurrent: name === filter,
  }));
  return <LinkRow label={t('deliveries.filter')} links={links} />;
}

const BADGES = { pending: 'soon', delivered: 'business', failed: 'problem', skipped: 'soon' } as const;

function Delivery({ delivery }: { readonly delivery: DeliveryView }) {
  const { t } = useTranslation('webhooks');
  const { id, type, status, url, createdAt } = delivery;
  return (
    <li>
      <details className="group rounded-control open:bg-raised">
        <summary className="flex min-h-12 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 rounded-control px-3 py-2.5 transition hover:bg-quiet [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="size-4 shrink-0 text-muted transition group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:-rotate-90"
          />
          <bdi lang="en" className="font-mono text-sm font-medium">
            {type}
          </bdi>
          <Badge variant={BADGES[status]}>{t(`deliveries.status.${status}`)}</Badge>
          <time dateTime={createdAt.iso} className="ms-auto text-sm text-muted">
            {createdAt.text}
          </time>
          <bdi dir="ltr" className="w-full truncate px-7 text-sm text-muted rtl:text-right">
            {url}
          </bdi>
        </summary>
        <div className="flex flex-col gap-4 px-3 pt-2 pb-4">
          <DeliveryDetails delivery={delivery} />
          <SubmitForm method="post" preventScrollReset>
            <HiddenFields fields={{ change: 'resend', deliveryId: id }} />
            <SubmitButton kind="quiet" size="small" className="min-h-11">
              {t('deliveries.resend')}
            </SubmitButton>
          </SubmitForm>
        </div>
      </details>
    </li>
  );
}

function DeliveryDetails({ delivery }: { readonly delivery: DeliveryView }) {
  const { t } = useTranslation('webhooks');
  const { messageId, isCallback, skipReason, nextAttemptAt, attempts, request } = delivery;
  return (
    <>
      <p className="text-sm text-pretty text-muted">
        <bdi lang="en" className="font-mono break-all">
          {`webhook-id: ${messageId}`}
        </bdi>
        {isCallback && <span className="block">{t('deliveries.callback')}</span>}
        {skipReason && <span className="block">{t(`deliveries.skipped.${skipReason}`)}</span>}
        {nextAttemptAt && <span className="block">{t('deliveries.next', { time: nextAttemptAt.text })}</span>}
      </p>
      {attempts.length > 0 && (
        <ol aria-label={t('deliveries.attempts')} className="flex flex-col gap-3">
          {attempts.map((attempt) => (
            <li key={attempt.at.iso} className="flex flex-col gap-2">
              <p className="flex flex-wrap gap-x-3 text-sm">
                <span className="font-medium">
                  {attempt.error ? (
                    t(`deliveries.errors.${attempt.error}`)
                  ) : (
                    <bdi lang="en">{`HTTP ${attempt.status}`}</bdi>
                  )}
                </span>
                <span className="text-muted">{t('deliveries.duration', { milliseconds: attempt.durationMs })}</span>
                <time dateTime={attempt.at.iso} className="text-muted">
                  {attempt.at.text}
                </time>
              </p>
              {attempt.answer && <CodeBlock on="ground">{attempt.answer}</CodeBlock>}
            </li>
          ))}
        </ol>
      )}
      {request && (
        <div className="flex flex-col gap-2">
          <h3 className="text-sm font-medium">{t('deliveries.request')}</h3>
          <section
            aria-label={t('deliveries.request')}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by the keyboard, too
            tabIndex={0}
            className="max-h-80 overflow-y-auto rounded-control"
          >
            <CodeBlock on="ground">{request}</CodeBlock>
          </section>
        </div>
      )}
    </>
  );
}
