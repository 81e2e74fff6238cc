import { type LinkedPicture, pictureLinkRoutes, type RouteInput } from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { PictureLinks } from './picture-links.js';

@Controller()
export class PictureLinksController {
  constructor(private readonly links: PictureLinks) {}

  @Route(pictureLinkRoutes.openPictureLink)
  open(@Input() { body }: RouteInput<typeof pictureLinkRoutes.openPictureLink>): Promise<LinkedPicture> {
    return this.links.open(body.token);
  }
}
