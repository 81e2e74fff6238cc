import type { Experiment } from '@clearframe/contract';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/content/badge';
import { Button } from '../../ui/controls/button';
import { Select } from '../../ui/controls/choices';
import { useDocument } from '../../ui/page/document-data';
import { type FormProps, NO_SEGMENT, segmentField } from './secret-menu-view';

interface ExperimentsFormProps extends FormProps {
  readonly experiments: readonly Experiment[];
}

export function ExperimentsForm({ experiments, action, isSending, onSubmit }: ExperimentsFormProps) {
  const { t } = useTranslation('account');
  if (experiments.length === 0)
    return <p className="text-sm text-pretty text-muted">{t('secretMenu.experiments.none')}</p>;
  return (
    <form method="post" action={action} onSubmit={onSubmit} className="flex flex-col gap-5">
      <input type="hidden" name="change" value="experiments" />
      {experiments.map((experiment) => (
        <SegmentField key={experiment.id} experiment={experiment} />
      ))}
      <Button
        type="submit"
        kind="primary"
        className="self-start"
        disabled={isSending}
        aria-busy={isSending || undefined}
      >
        {t('secretMenu.experiments.apply')}
      </Button>
    </form>
  );
}

function SegmentField({ experiment }: { readonly experiment: Experiment }) {
  const { t } = useTranslation('account');
  const { language } = useDocument();
  const { id, name, description, state, segments, assignedSegmentId, isForced } = experiment;
  const field = segmentField(id);
  const total = segments.reduce((sum, { weight }) => sum + weight, 0);
  const percent = new Intl.NumberFormat(language, { style: 'percent' });
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={field} className="font-medium">
          <bdi>{name}</bdi>
        </label>
        {state === 'draft' && <Badge variant="soon">{t('secretMenu.experiments.draft')}</Badge>}
        {isForced && <Badge variant="business">{t('secretMenu.experiments.forced')}</Badge>}
      </div>
      {description && (
        <p id={`${field}-about`} dir="auto" className="text-sm text-pretty text-muted">
          {description}
        </p>
      )}
      <Select
        // A new assignment replaces what was chosen.
        key={assignedSegmentId}
        id={field}
        name={field}
        defaultValue={assignedSegmentId ?? NO_SEGMENT}
        aria-describedby={description ? `${field}-about` : undefined}
      >
        <option value={NO_SEGMENT}>{t('secretMenu.experiments.out')}</option>
        {segments.map((segment) => (
          <option key={segment.id} value={segment.id}>
            {`${segment.name} (${percent.format(segment.weight / total)})`}
          </option>
        ))}
      </Select>
    </div>
  );
}
