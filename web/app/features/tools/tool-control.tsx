import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Messages } from '../../i18n/messages';
import { Select, Toggle } from '../../ui/controls/choices';
import { Slider } from '../../ui/controls/slider';
import { ToggleTooltip } from '../../ui/controls/toggle-tooltip';
import { FULL_STRENGTH, type Tool, type ToolChoice } from './choices';
import type { ModelView, SwitchView } from './tools-view';

export interface ToolControlProps<View> {
  readonly tool: View;
  readonly choice: ToolChoice;
  readonly onChange: (change: Partial<ToolChoice>) => void;
}

export function useNames() {
  const { t } = useTranslation('result');
  return {
    // Every model of the form has a name, which `choices.test.ts` asserts.
    model: (tool: Tool, model: string): string => t(`panel.models.${tool}.${model}` as 'panel.models.bokeh.low'),
    plan: (plan: NonNullable<ModelView['requiredPlan']>): string => t(`panel.plans.${plan}`),
  };
}

interface ToolTooltipProps {
  readonly of: keyof Messages['result']['panel']['tips'];
  readonly title: string;
  readonly children: ReactElement;
}

/** Says and shows what a toggle of the editor does. The clips are made by tests/samples. */
export function ToolTooltip({ of, title, children }: ToolTooltipProps) {
  const { t } = useTranslation('result');
  return (
    <ToggleTooltip mediaUrl={`/samples/tool-${of}.mp4`} title={title} body={t(`panel.tips.${of}`)} isInPanel>
      {children}
    </ToggleTooltip>
  );
}

interface StrengthProps {
  readonly tool: Tool;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

export function Strength({ tool, value, onChange }: StrengthProps) {
  const { t } = useTranslation('result');
  return (
    <Slider
      className="tool-option pt-2"
      label={t('panel.strength')}
      aria-label={`${t(`panel.tools.${tool}`)}: ${t('panel.strength')}`}
      name={`${tool}Strength`}
      min={0}
      max={FULL_STRENGTH}
      step={5}
      value={value}
      format={(percent) => t('panel.percent', { value: percent / FULL_STRENGTH })}
      onChange={onChange}
    />
  );
}

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
