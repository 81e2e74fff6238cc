import { type Experiment, experimentRoutes, type RouteInput } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, MaybeCaller } from '../sessions/caller.js';
import { type Assignment, ExperimentsService } from './experiments.service.js';

@Controller()
export class ExperimentsController {
  constructor(private readonly experiments: ExperimentsService) {}

  @Route(experimentRoutes.listExperiments)
  async retrieve(
    @MaybeCaller() caller: Caller | undefined,
    @Input() { body }: RouteInput<typeof experimentRoutes.listExperiments>,
  ): Promise<{ experiments: Experiment[] }> {
    const visitor = { userId: caller?.userId ?? null, localStorageId: body.localStorageId };
    return { experiments: (await this.experiments.currentAssignmentsOf(visitor)).map(present) };
  }

  @Route(experimentRoutes.forceExperimentSegments)
  force(
    @MaybeCaller() caller: Caller | undefined,
    @Input() { body }: RouteInput<typeof experimentRoutes.forceExperimentSegments>,
  ): Promise<void> {
    const visitor = { userId: caller?.userId ?? null, localStorageId: body.localStorageId };
    const forced = body.modifiedExperiments.map(({ id, segmentId }) => ({ experimentId: id, segmentId }));
    return this.experiments.force(visitor, forced);
  }
}

const present = ({ experiment, segment, isForced }: Assignment): Experiment => ({
  id: experiment.id,
  name: experiment.name,
  state: experiment.state,
  description: experiment.description,
  segments: experiment.segments.map(({ id, name = id, weight }, index) => ({ id, index, name, weight })),
  assignedSegmentId: segment?.id ?? null,
  isForced,
});
