import { Clearframe } from '@clearframe/client';

const clearframe = new Clearframe({ baseUrl: 'https://clearframe.example' });
const result = await clearframe.enhance('photo.jpg', { mask: 'mask.png' });
await result.save('masked.png');
