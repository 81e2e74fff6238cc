import { Clearframe } from '@clearframe/client';

const clearframe = new Clearframe({ baseUrl: 'https://clearframe.example' });
const result = await clearframe.enhance('photo.jpg', {
  faces: { model: 'v2' },
  color: { model: 'golden', strength: 0.6 },
  format: 'jpeg',
});
await result.save('better.jpg');
