import { useTranslation } from 'react-i18next';
import type { Tool, ToolChoice } from './choices';
import type { ModelView } from './tools-view';

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
