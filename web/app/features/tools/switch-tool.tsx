import { useTranslation } from 'react-i18next';
import { Select } from '../../ui/controls/select';
import { Toggle } from '../../ui/controls/toggle';
import { Strength } from './strength';
import { type ToolControlProps, useNames } from './tool-control';
import { ToolTooltip } from './tool-tooltip';
import type { SwitchView } from './tools-view';

export function SwitchTool({ tool: { tool, models }, choice, onChange }: ToolControlProps<SwitchView>) {
  const { t } = useTranslation('result');
  const names = useNames();
  const isOn = choice.model !== null;
  const first = models[0]?.model ?? null;
  const nameOf = ({ model, requiredPlan }: (typeof models)[number]): string => {
    const name = names.model(tool, model);
    return requiredPlan === null ? name : t('panel.preview.try', { model: name, plan: names.plan(requiredPlan) });
  };
  return (
    <section aria-label={t(`panel.tools.${tool}`)} className="tool flex flex-col gap-2">
      <ToolTooltip of={tool} title={t(`panel.tools.${tool}`)}>
        <Toggle
          label={<span className="font-medium">{t(`panel.tools.${tool}`)}</span>}
          name={`${tool}On`}
          value="yes"
          checked={isOn}
          onChange={(event) => onChange({ model: event.target.checked ? first : null })}
        />
      </ToolTooltip>
      <Select
        aria-label={t('panel.model', { tool: t(`panel.tools.${tool}`) })}
        name={tool}
        className="tool-option"
        value={choice.model ?? first ?? ''}
        onChange={(event) => onChange({ model: event.target.value })}
      >
        {models.map((model) => (
          <option key={model.model} value={model.model}>
            {nameOf(model)}
          </option>
        ))}
      </Select>
      <Strength tool={tool} value={choice.strength} onChange={(strength) => onChange({ strength })} />
    </section>
  );
}
