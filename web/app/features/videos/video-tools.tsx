import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/content/badge';
import { Select, Toggle } from '../../ui/controls/choices';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { TEXT_LINK } from '../../ui/page/app-link';
import { ModalLink } from '../modals/modal-link';
import { ToolTooltip, useNames } from '../tools/tool-control';
import type { ToolView } from '../tools/tools-view';
import type { VideoView } from './video.server';

interface VideoToolsProps {
  readonly video: VideoView;
  readonly tools: readonly ToolView[];
}

/** Works without JavaScript. */
export function VideoTools({ video: { taskId, choices }, tools }: VideoToolsProps) {
  const { t } = useTranslation('result');
  return (
    <SubmitForm method="post" action={`/videos/${taskId}`} className="flex flex-col gap-4">
      {tools.map((tool) => {
        const { model } = choices.tools[tool.tool];
        const [only, another] = tool.models;
        return tool.control === 'switch' && only && !another && only.requiredPlan === null ? (
          <div key={tool.tool}>
            <ToolTooltip of={tool.tool} title={t(`panel.tools.${tool.tool}`)}>
              <Toggle
                label={<span className="font-medium">{t(`panel.tools.${tool.tool}`)}</span>}
                name={tool.tool}
                value={only.model}
                defaultChecked={model !== null}
              />
            </ToolTooltip>
          </div>
        ) : (
          <ModelChoice key={tool.tool} tool={tool} model={model} />
        );
      })}
      <SubmitButton kind="quiet" name="intent" value="tools">
        {t('panel.offer.applyNewer')}
      </SubmitButton>
      <p className="text-sm text-muted text-pretty">{t('video.again')}</p>
    </SubmitForm>
  );
}

interface ModelChoiceProps {
  readonly tool: ToolView;
  /** Model used for the result; null: the tool was off. */
  readonly model: string | null;
}

function ModelChoice({ tool: { tool, models }, model: chosen }: ModelChoiceProps) {
  const { t } = useTranslation('result');
  const names = useNames();
  const id = useId();
  const [plan = null] = models.every(({ requiredPlan }) => requiredPlan)
    ? models.map(({ requiredPlan }) => requiredPlan)
    : [];
  return (
    <div className="flex flex-col gap-2">
      <span className="flex items-center justify-between gap-2 font-medium">
        <label htmlFor={id}>{t(`panel.tools.${tool}`)}</label>
        {plan && <Badge variant="business">{names.plan(plan)}</Badge>}
      </span>
      <Select id={id} name={tool} defaultValue={chosen ?? ''} disabled={plan !== null}>
        <option value="">{t('panel.off')}</option>
        {models.map(({ model, requiredPlan }) => (
          <option key={model} value={model} disabled={requiredPlan !== null}>
            {requiredPlan && !plan
              ? `${names.model(tool, model)} (${names.plan(requiredPlan)})`
              : names.model(tool, model)}
          </option>
        ))}
      </Select>
      {plan && (
        <ModalLink
          modal="offer"
          with={{ topic: plan === 'business' ? 'business_models' : 'premium_models' }}
          className={`${TEXT_LINK} flex min-h-11 items-center self-start text-sm`}
        >
          {t('plans')}
        </ModalLink>
      )}
    </div>
  );
}
