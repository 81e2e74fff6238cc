import { useTranslation } from 'react-i18next';
import type { Measure } from './usage-range';
import type { UsageView } from './usage-view.server';

/** Of a bar with its gap, in the chart's own units. */
const STEP = 10;
const GAP = 2;
const HEIGHT = 100;

interface UsageChartProps {
  readonly usage: UsageView;
  readonly measure: Measure;
  readonly formatNumber: (value: number) => string;
  /** The chart in words. */
  readonly summary: string;
}

/** Bars by day, stacked by key. The tables below have the same numbers. */
export function UsageChart({ usage: { days, top }, measure, formatNumber, summary }: UsageChartProps) {
  const { t } = useTranslation('usage');
  const yOf = (value: number): number => HEIGHT - (value / top) * HEIGHT;
  const [first, last] = [days[0], days.at(-1)];
  return (
    <figure className="flex flex-col gap-2">
      <div className="relative border-y border-line">
        <span aria-hidden className="absolute start-0 top-1 text-caption text-muted tabular-nums">
          {formatNumber(top)}
        </span>
        <svg
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={summary}
          className="usage-chart h-56 w-full rtl:-scale-x-100"
        >
          {days.map(({ day, text, counts, parts }, index) => (
            <g key={day} className="usage-day">
              <title>{t('chart.day', { day: text, value: counts[measure] })}</title>
              <rect x={index * STEP} y={0} width={STEP} height={HEIGHT} className="usage-hit" />
              {parts.map(({ color, from, to }) => (
                <rect
                  key={color}
                  x={index * STEP + GAP / 2}
                  y={yOf(to)}
                  width={STEP - GAP}
                  height={yOf(from) - yOf(to)}
                  data-color={color}
                />
              ))}
            </g>
          ))}
        </svg>
      </div>
      <figcaption className="flex justify-between gap-4 text-caption text-muted">
        <time dateTime={first?.day}>{first?.text}</time>
        {days.length > 1 && <time dateTime={last?.day}>{last?.text}</time>}
      </figcaption>
    </figure>
  );
}
