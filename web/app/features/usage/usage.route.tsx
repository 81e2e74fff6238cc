import { Form, useLoaderData } from '@remix-run/react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { accountAddress, USAGE_ADDRESS, WEBHOOKS_ADDRESS } from '../../session/account-tabs';
import { Badge } from '../../ui/content/badge';
import { ProgressBar } from '../../ui/content/waiting';
import { Button, buttonClass } from '../../ui/controls/button';
import { Select } from '../../ui/controls/choices';
import { AppLink } from '../../ui/page/app-link';
import { LinkRow } from '../../ui/page/link-row';
import { LinkedText } from '../../ui/page/linked-text';
import { loadUsage } from './usage.server';
import './usage.css';
import { UsageChart } from './usage-chart';
import { addDays, MEASURES, RANGE_DAYS, type UsageQuery, usageAddress } from './usage-range';
import type { KeyUsageView, UsageView } from './usage-view.server';

export const handle = { i18n: ['usage', 'account'] };
export const loader = loadUsage;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function UsagePage() {
  const { usage, query, today, language, testPicturesPerDay, isAvailable } = useLoaderData<typeof loader>();
  const { t } = useTranslation(['usage', 'account']);
  const formatNumber = numberFormatterFor(language);
  const { measure } = query;
  const total = formatNumber(usage.totals[measure]);
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-1 flex-col gap-8 px-5 pt-2 pb-12 sm:px-8 sm:pt-4">
      <div className="flex flex-col gap-3">
        <h1 className="text-display-sm">{t('title')}</h1>
        <p className="text-lg text-pretty text-muted">
          <LinkedText text={t('lead')} links={{ limits: '/developers/limits' }} />
        </p>
      </div>
      <RangeForm query={query} today={today} />
      <section
        aria-labelledby="measure"
        className="flex flex-col gap-4 rounded-picture bg-raised p-5 shadow-soft sm:p-7"
      >
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <h2 id="measure" className="text-sm font-medium text-muted">
              {t(`measures.${measure}`)}
            </h2>
            <p className="text-display-sm tabular-nums">{total}</p>
          </div>
          <MeasureLinks query={query} />
        </div>
        <UsageChart
          usage={usage}
          measure={measure}
          formatNumber={formatNumber}
          summary={t('chart.summary', { measure: t(`measures.${measure}`), total, days: usage.days.length })}
        />
      </section>
      <section className="flex flex-col gap-4">
        <h2 className="text-title">{t('keys.title')}</h2>
        {usage.keys.length === 0 ? (
          <p className="rounded-card bg-well px-5 py-4 text-muted">
            {isAvailable ? t('account:pluginKey.none') : t('account:pluginKey.unavailable')}
          </p>
        ) : (
          <ul className="flex flex-col gap-1 rounded-card bg-well p-2">
            {usage.keys.map((key) => (
              <KeyUsage key={key.id} usage={key} formatNumber={formatNumber} testPicturesPerDay={testPicturesPerDay} />
            ))}
          </ul>
        )}
      </section>
      <DayTable days={usage.days} formatNumber={formatNumber} />
      <nav aria-label={t('more')} className="flex flex-wrap gap-3">
        <AppLink to={accountAddress('pluginKey')} className={buttonClass('quiet')}>
          {t('account:pluginKey.title')}
        </AppLink>
        <AppLink to={WEBHOOKS_ADDRESS} className={buttonClass('quiet')}>
          {t('account:pluginKey.webhooks')}
        </AppLink>
      </nav>
    </div>
  );
}

/** @param language BCP 47 */
function numberFormatterFor(language: string): (value: number) => string {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  return (value) => format.format(value);
}

function MeasureLinks({ query }: { readonly query: UsageQuery }) {
  const { t } = useTranslation('usage');
  const links = MEASURES.map((measure) => ({
    to: usageAddress(USAGE_ADDRESS, { ...query, measure }),
    text: t(`measures.${measure}`),
    isCurrent: measure === query.measure,
  }));
  return <LinkRow label={t('measures.label')} links={links} preventScrollReset />;
}

function RangeForm({ query, today }: { readonly query: UsageQuery; readonly today: string }) {
  const { keys } = useLoaderData<typeof loader>();
  const { t } = useTranslation('usage');
  const id = useId();
  const { from, to, keyId, measure } = query;
  const ranges = RANGE_DAYS.map((days) => {
    const start = addDays(today, 1 - days);
    return {
      to: usageAddress(USAGE_ADDRESS, { ...query, from: start, to: today }),
      text: t('range.days', { count: days }),
      isCurrent: to === today && from === start,
    };
  });
  return (
    <div className="flex flex-col gap-3">
      <LinkRow label={t('range.label')} links={ranges} preventScrollReset />
      {/* The key resets the fields for another range. */}
      <Form
        key={`${from} ${to} ${keyId}`}
        method="get"
        preventScrollReset
        className="grid items-end gap-3 sm:grid-cols-[1fr_1fr_1fr_auto]"
      >
        {measure !== 'pictures' && <input type="hidden" name="show" value={measure} />}
        <label className="flex min-w-0 flex-col gap-1.5 text-sm font-medium">
          {t('range.from')}
          <input type="date" name="from" defaultValue={from} max={today} className="field text-base font-normal" />
        </label>
        <label className="flex min-w-0 flex-col gap-1.5 text-sm font-medium">
          {t('range.to')}
          <input type="date" name="to" defaultValue={to} max={today} className="field text-base font-normal" />
        </label>
        <div className="flex min-w-0 flex-col gap-1.5">
          <label htmlFor={id} className="text-sm font-medium">
            {t('range.key')}
          </label>
          <Select id={id} name="key" defaultValue={keyId ?? ''}>
            <option value="">{t('range.allKeys')}</option>
            {keys.map((key) => (
              <option key={key.id} value={key.id}>
                {key.label}
              </option>
            ))}
          </Select>
        </div>
        <Button kind="quiet" type="submit">
          {t('range.show')}
        </Button>
      </Form>
    </div>
  );
}

interface KeyUsageProps {
  readonly usage: KeyUsageView;
  readonly formatNumber: (value: number) => string;
  readonly testPicturesPerDay: number;
}

function KeyUsage({ usage, formatNumber, testPicturesPerDay }: KeyUsageProps) {
  const { t } = useTranslation(['usage', 'account']);
  const { name, prefix, isTest, counts, tools, color, monthLimit, monthUsed, minuteLimit } = usage;
  return (
    <li className="flex flex-col gap-3 px-3 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span aria-hidden className="usage-swatch" data-color={color} />
        <span className="min-w-0 font-medium wrap-anywhere">
          {name ??
            (prefix === null ? (
              t('keys.revoked')
            ) : (
              <bdi lang="en" className="font-mono">
                {prefix}
              </bdi>
            ))}
        </span>
        {isTest && <Badge variant="beta">{t('account:pluginKey.test')}</Badge>}
        {name !== null && prefix !== null && (
          <bdi lang="en" className="font-mono text-sm text-muted">
            {prefix}
          </bdi>
        )}
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
        {MEASURES.map((measure) => (
          <div key={measure}>
            <dt className="text-sm text-muted">{t(`measures.${measure}`)}</dt>
            <dd className="font-medium tabular-nums">{formatNumber(counts[measure])}</dd>
          </div>
        ))}
      </dl>
      {tools.length > 0 && (
        <div className="text-sm">
          <h3 className="text-muted">{t('keys.tools')}</h3>
          <ul className="flex flex-wrap gap-x-5 gap-y-1">
            {tools.map(({ tool, results }) => (
              <li key={tool}>
                {t(`account:tools.${tool}`)} <span className="font-medium tabular-nums">{formatNumber(results)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {monthLimit !== null && <MonthLimit used={monthUsed} all={monthLimit} />}
      {prefix !== null && (
        <p className="text-sm text-pretty text-muted empty:hidden">
          {[
            isTest && t('keys.testLimit', { count: testPicturesPerDay }),
            minuteLimit !== null && t('keys.minuteLimit', { count: minuteLimit }),
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
      )}
    </li>
  );
}

function MonthLimit({ used, all }: { readonly used: number; readonly all: number }) {
  const { t } = useTranslation('usage');
  const text = t('keys.monthLimit', { used, all });
  return (
    <div className="flex flex-col gap-1.5">
      <div className="text-muted">
        <ProgressBar label={text} value={Math.min(1, used / all)} />
      </div>
      <p className="text-sm text-muted">{text}</p>
    </div>
  );
}

interface DayTableProps {
  readonly days: UsageView['days'];
  readonly formatNumber: (value: number) => string;
}

/** The newest day first, without those of no usage. */
function DayTable({ days, formatNumber }: DayTableProps) {
  const { t } = useTranslation('usage');
  const used = days.filter(({ counts }) => MEASURES.some((measure) => counts[measure] > 0)).reverse();
  if (used.length === 0) return null;
  return (
    <details className="group">
      <summary className={`list-none [&::-webkit-details-marker]:hidden ${buttonClass('quiet')}`}>{t('table')}</summary>
      <section
        aria-label={t('table')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by the keyboard, too
        tabIndex={0}
        className="mt-4 overflow-x-auto rounded-card bg-well p-2"
      >
        <table className="w-full text-sm tabular-nums">
          <thead className="text-muted">
            <tr>
              <th scope="col" className="px-3 py-2 text-start font-medium">
                {t('day')}
              </th>
              {MEASURES.map((measure) => (
                <th key={measure} scope="col" className="px-3 py-2 text-end font-medium">
                  {t(`measures.${measure}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {used.map(({ day, text, counts }) => (
              <tr key={day}>
                <th scope="row" className="px-3 py-2 text-start font-medium whitespace-nowrap">
                  <time dateTime={day}>{text}</time>
                </th>
                {MEASURES.map((measure) => (
                  <td key={measure} className="px-3 py-2 text-end">
                    {formatNumber(counts[measure])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
