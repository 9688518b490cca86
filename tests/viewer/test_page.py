"""The page in a real browser, as people use it."""

from __future__ import annotations

import json

import pytest

from replan.maps.library import builtin_names
from replan.planners.registry import planners
from replan.viewer.settings import DOORS_MAP, MAP_MAKERS, Settings

TRACK = "replan.model.tracks[0]"


def tick(page) -> int:
    return page.evaluate("replan.model.tick")


def at(page, who: int = 0) -> int:
    return page.evaluate(f"replan.model.tracks[{who}].frame.at")


def idle(page) -> None:
    page.wait_for_function("!replan.source.waiting && replan.wanted === null && !replan.seeking && !replan.changed")


def begin(page, **settings) -> None:
    """Choose on the form, and begin."""
    for name, value in settings.items():
        element = page.locator(f"#{name}")
        if element.evaluate("e => e.tagName") == "SELECT":
            element.select_option(value)
        else:
            element.fill(str(value))
    page.locator("#begin").click()
    page.wait_for_function("replan.source.waiting === false && replan.model.tick >= 0")
    idle(page)


def begin_here(page, **settings) -> str:
    """Choose on the form, and press Begin. What the page says of it; empty if the trip has begun."""
    page.evaluate("replan.model = null")
    for name, value in settings.items():
        element = page.locator(f"#{name}")
        (element.select_option if element.evaluate("e => e.tagName") == "SELECT" else element.fill)(str(value))
    page.locator("#begin").click()
    page.wait_for_function("replan.model !== null || !document.getElementById('note').hidden")
    return "" if page.evaluate("replan.model !== null") else page.locator("#note").inner_text()


def cell_point(page, cell: int) -> tuple[float, float]:
    """Where on the screen a cell is drawn."""
    found = page.evaluate(
        """c => {
            const canvas = replan.panes[0].painters[0].canvas, box = canvas.getBoundingClientRect();
            const world = replan.model.world;
            const place = replan.camera.place(world, canvas.clientWidth, canvas.clientHeight);
            return [box.left + place.left + (c % world.cols + 0.5) * place.scale,
                    box.top + place.top + (Math.floor(c / world.cols) + 0.5) * place.scale];
        }""",
        cell,
    )
    return found[0], found[1]


def test_it_opens_with_a_picture_and_everything_has_a_name(page):
    assert page.locator("canvas").count() == 2
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, textarea, canvas, section, dialog")]
            .filter(e => !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label") || e.title))
            .map(e => e.outerHTML)"""
    )
    assert unnamed == []
    colours = page.evaluate(
        """() => {
            const c = replan.panes[0].painters[0].canvas, seen = new Set();
            const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
            for (let i = 0; i < d.length; i += 4 * 97) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
            return seen.size; }"""
    )
    assert colours > 4
    assert page.locator("#legend li").count() >= 15


NEW_MAPS = [*MAP_MAKERS, DOORS_MAP]
SLUGS = [spec.slug for spec in planners()]


def begun(page, chosen: str, slug: str) -> None:
    """Press Begin with this map and this planner, where the planner has what it needs."""
    spec = next(spec for spec in planners() if spec.slug == slug)
    said = begin_here(
        page, map=chosen, planners=slug, neighbors=4 if spec.needs_unit_costs or spec.needs_plain_grid else 8
    )
    assert said == "", (chosen, slug)
    idle(page)
    assert page.evaluate("[replan.model.world.settings.map, replan.settings.planners]") == [chosen, [slug]]


def test_begin_with_every_map_of_the_list(page):
    offered = page.evaluate("[...document.getElementById('map').options].map(o => o.value)")
    assert sorted(offered) == sorted([*NEW_MAPS, *builtin_names()])
    for chosen in [*offered, *reversed(offered)]:
        begun(page, chosen, "rtaa")


def test_begin_with_every_planner_of_the_registry(page):
    assert page.evaluate("[...document.getElementById('planner-choice').options].map(o => o.value)") == SLUGS
    for i, slug in enumerate(SLUGS):
        begun(page, "cave" if i % 2 else "new-maze", slug)


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_begin_with_every_planner_on_every_map(page, slug):
    for chosen in [*NEW_MAPS, *builtin_names()]:
        begun(page, chosen, slug)


def test_begin_with_another_size_or_seed(page):
    """Start and goal are chosen anew, as on another map: those of before may be outside, or blocked."""
    for other in ({"rows": 20}, {"cols": 20}, {"seed": 9}, {"rows": 1, "cols": 2, "map": "new-open"}, {"map": "cave"}):
        assert begin_here(page, **other) == "", other
        idle(page)
    page.locator("#rows").evaluate("e => { e.required = false; e.value = ''; }")
    assert "rows is a whole number" in begin_here(page)


def test_a_map_beyond_the_memory_of_the_tabs_gets_a_sentence(browser, serve, monkeypatch):
    monkeypatch.setattr("replan.viewer.application.half_of_system_memory", lambda: 10**8)
    server = serve(Settings(rows=20, cols=20))
    context = browser.new_context(reduced_motion="reduce", bypass_csp=True)
    page = context.new_page()
    page.goto(server.address)
    page.wait_for_function("window.replan && replan.model && replan.model.tracks[0].frame")
    assert page.url == server.address.partition("?")[0]  # without the token
    page.locator("#rows").fill("4096")
    page.locator("#cols").fill("4096")
    page.locator("#begin").click()
    page.wait_for_function("!document.getElementById('note').hidden")
    said = page.locator("#note").inner_text()
    assert "takes about 1.8 GB of memory" in said and "close a tab, or choose a smaller map" in said
    page.keyboard.press("Escape")
    page.locator("#forth").click()  # the trip of before goes on
    page.wait_for_function("replan.model.tick === 1 && replan.model.world.rows === 20")
    page.locator("#gif").click()
    server.end()
    page.wait_for_function("document.getElementById('note').textContent.startsWith('The server has gone')")
    page.wait_for_function("document.getElementById('gif').textContent === 'GIF'")
    context.close()


def test_a_page_without_the_token_says_how_to_get_it(browser, address):
    context = browser.new_context()
    page = context.new_page()
    page.goto(address.partition("?")[0])
    assert "open the address that `replan view` has printed" in page.locator("body").inner_text()
    context.close()


def test_it_does_not_start_by_itself_where_less_motion_is_wanted(page):
    page.wait_for_timeout(300)
    assert tick(page) == 0 and page.locator("#play").inner_text() == "Play"


def test_play_pause_step_and_back(page):
    page.keyboard.press(" ")
    page.wait_for_function("replan.model.tick >= 5")
    page.keyboard.press(" ")
    assert page.locator("#play").get_attribute("aria-pressed") == "false"
    idle(page)
    here, place = tick(page), at(page)
    page.keyboard.press("ArrowRight")
    idle(page)
    assert tick(page) == here + 1
    page.keyboard.press("ArrowLeft")
    assert tick(page) == here and at(page) == place
    page.locator("#forth").click()
    assert tick(page) == here + 1
    page.keyboard.press("Home")
    assert tick(page) == 0


def test_back_again_everything_is_as_it_was(page):
    """All values after going forth and back are those of the first time."""
    digest = """() => ["belief", "truth", "seen", "trail", "flags", "rank", "g", "h", "raised"].map(name => {
        let sum = 7; for (const x of replan.model.tracks[0][name]) sum = (sum * 31 + x) | 0; return sum; })"""
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    idle(page)
    found = {}
    for _ in range(25):
        found[tick(page)] = page.evaluate(digest)
        page.keyboard.press("ArrowRight")
        idle(page)
    for _ in range(25):
        page.keyboard.press("ArrowLeft")
        if tick(page) in found:
            assert page.evaluate(digest) == found[tick(page)]


def test_one_search_and_one_expansion(page):
    page.keyboard.press("e")
    idle(page)
    assert page.evaluate(f"!!{TRACK}.frame.episode")
    page.keyboard.press("x")
    assert page.evaluate(f"{TRACK}.shown") == 0
    for wanted in (1, 2, 3):
        page.keyboard.press("x")
        assert page.evaluate(f"{TRACK}.shown") == wanted
    page.keyboard.press("Shift+X")
    assert page.evaluate(f"{TRACK}.shown") == 2
    assert "expansion 2 of 9" in page.locator("#readout").inner_text()


def test_scrubbing(page):
    page.keyboard.press("ArrowRight")
    idle(page)
    page.wait_for_function("replan.model.lastTick > 20")
    page.locator("#time").fill("17")
    assert tick(page) == 17
    page.locator("#time").fill("3")
    assert tick(page) == 3


def test_a_wall_across_the_path_changes_the_path(page):
    begin(page, map="new-open", rows=20, cols=30, seed=1, known="everything", sensor="everything")
    before = page.evaluate(f"Array.from({TRACK}.frame.path)")
    page.locator("#tool").select_option("wall")
    wall = before[3]
    x, y = cell_point(page, wall)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.up()
    page.wait_for_function(f"{TRACK}.frame.cause === 'change'")
    after = page.evaluate(f"Array.from({TRACK}.frame.path)")
    assert wall in before and wall not in after
    assert page.evaluate(f"{TRACK}.truth[{wall}]") == 0


def test_a_wall_by_keyboard(page):
    begin(page, map="new-open", rows=20, cols=30, seed=1)
    page.locator("#tool").select_option("wall")
    page.locator(".pictures canvas").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    cell = page.evaluate("replan.cursor")
    assert "believed free" in page.locator("#live").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_function(f"{TRACK}.frame.cause === 'change'")
    assert page.evaluate(f"{TRACK}.truth[{cell}]") == 0


def test_dragging_the_goal(page):
    begin(page, map="new-open", rows=20, cols=30, seed=1)
    goal = page.evaluate(f"{TRACK}.frame.goal[0]")
    to = 10 * 30 + 15
    x, y = cell_point(page, goal)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(*cell_point(page, to), steps=5)
    page.mouse.up()
    page.wait_for_function(f"{TRACK}.frame.cause === 'retarget'")
    assert page.evaluate(f"{TRACK}.frame.goal[0]") == to


def test_two_planners_in_lockstep(page):
    begin(page, planners="rtaa:lookahead=9\nd-star-lite")
    assert page.locator(".pane h2").all_inner_texts() == ["RTAA*", "D* Lite"]
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        idle(page)
    assert page.evaluate("replan.model.tracks.map(t => t.frame.tick)") == [4, 4]
    assert "step 4" in page.locator(".counters").nth(1).inner_text()


def test_a_permalink_gives_the_same_trip_again(page, address):
    begin(page, map="new-cave", rows=30, cols=40, seed=9, planners="rtaa:lookahead=5\nlss-lrta:lookahead=5")
    page.keyboard.press("ArrowRight")
    idle(page)
    page.locator("#tool").select_option("wall")
    page.locator(".pictures canvas").first.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_function(f"{TRACK}.frame.cause === 'change'")
    for _ in range(10):
        page.keyboard.press("n")
        idle(page)
    page.locator("#link").click()
    page.wait_for_function("location.hash.length > 10")
    walked = "replan.model.tracks.map(t => t.frames.slice(0, t.cursor + 1).map(f => f.at))"
    here, paths = tick(page), page.evaluate(walked)
    page.reload()
    page.wait_for_function(f"window.replan && replan.model && replan.model.tick === {here} && replan.wanted === null")
    assert page.evaluate(walked) == paths


def test_a_good_map_and_a_bad_one(page, tmp_path):
    good = tmp_path / "mine.txt"
    good.write_text("......\n.####.\n......\n")
    page.locator("#map-file").set_input_files(str(good))
    page.wait_for_function("replan.model.world.rows === 3 && replan.model.world.cols === 6")
    idle(page)
    bad = tmp_path / "bad.map"
    bad.write_text("type octile\nheight 2\nwidth 3\nmap\n...\n.?x\n")
    page.locator("#map-file").set_input_files(str(bad))
    page.wait_for_function("!document.getElementById('note').hidden")
    assert "bad.map" in page.locator("#note").inner_text()
    assert page.evaluate("replan.model.world.rows") == 3  # what was there is still there


def test_planners_with_a_typo_get_a_sentence(page):
    page.locator("#planners").fill("rtta")
    page.locator("#begin").click()
    page.wait_for_function("!document.getElementById('note').hidden")
    assert "did you mean" in page.locator("#note").inner_text()


@pytest.mark.parametrize("view", ["belief", "truth", "side"])
def test_other_views(page, view):
    page.locator("#view").select_option(view)
    idle(page)
    assert page.locator(".pictures canvas").count() == (2 if view == "side" else 1)


def test_close_up_the_numbers_of_the_papers_appear(page):
    for _ in range(9):
        page.keyboard.press("+")
    idle(page)
    assert page.evaluate("replan.camera.scale") >= 44
    assert page.evaluate(f"[...{TRACK}.g].some(g => g > 0)")


def test_a_picture_is_saved(page):
    with page.expect_download() as download:
        page.locator("#png").click()
    assert download.value.suggested_filename == "replan.png"


def test_an_animation_of_the_trip_is_saved(page, tmp_path):
    image = pytest.importorskip("PIL.Image")
    begin(page, map="new-cave", rows=20, cols=20, seed=2, planners="rtaa:lookahead=9\nd-star-lite")
    with page.expect_download(timeout=60_000) as download:
        page.locator("#gif").click()
    download.value.save_as(tmp_path / "trip.gif")
    with image.open(tmp_path / "trip.gif") as gif:
        assert gif.n_frames == min(150, page.evaluate("replan.model.lastTick") + 1) and gif.width <= 960
        first = gif.convert("RGB")
        gif.seek(gif.n_frames - 1)
        last = gif.convert("RGB")
        assert first.tobytes() != last.tobytes() and len(last.getcolors(10**6)) > 8
    page.keyboard.press("End")
    pixel = "replan.share.sheet(960).getContext('2d').getImageData(300, 200, 1, 1).data"
    shown = page.evaluate(f"() => {{ replan.draw(); return [...{pixel}]; }}")
    assert (
        max(abs(a - b) for a, b in zip(last.getpixel((300, 200)), shown, strict=False)) < 24
    )  # it is the same picture


def test_a_story_is_saved_and_opened(page, tmp_path):
    begin(page, map="new-cave", rows=24, cols=30, seed=5, planners="rtaa:lookahead=7")
    page.keyboard.press("ArrowRight")
    idle(page)
    page.wait_for_function("replan.source.ended || replan.model.lastTick > 30")
    walked = page.evaluate(f"{TRACK}.frames.map(f => f.at)")
    with page.expect_download() as download:
        page.locator("#save-story").click()
    assert download.value.suggested_filename == "rtaa.replan"
    download.value.save_as(tmp_path / "rtaa.replan")
    begin(page, map="new-open", rows=10, cols=10, seed=1)
    page.locator("#story-file").set_input_files(str(tmp_path / "rtaa.replan"))
    page.wait_for_function("replan.model.world.rows === 24 && replan.settings.recorded")
    page.keyboard.press("ArrowRight")
    idle(page)
    page.wait_for_function(f"{TRACK}.frames.length >= {len(walked)} || replan.source.ended")
    again = page.evaluate(f"{TRACK}.frames.map(f => f.at)")
    assert again[: len(walked)] == walked[: len(again)]
    assert page.locator("#tool").is_hidden() and page.locator("#save-story").is_visible()
    (tmp_path / "bad.replan").write_bytes(b"no story")
    page.locator("#story-file").set_input_files(str(tmp_path / "bad.replan"))
    page.wait_for_function("!document.getElementById('note').hidden")
    assert "is no story of replan" in page.locator("#note").inner_text()


def test_slow_terrain_on_any_map(page):
    begin(page, map="new-open", rows=20, cols=30, seed=1, known="everything", sensor="everything")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        idle(page)
    here = tick(page)
    before = page.evaluate(f"Array.from({TRACK}.frame.path)")
    page.locator("#tool").select_option("slow")
    x, y = cell_point(page, before[2])
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.up()
    page.wait_for_function(f"{TRACK}.frame?.cause === 'change'")
    idle(page)
    assert tick(page) == here + 1 and page.evaluate(f"{TRACK}.truth[{before[2]}]") == 5
    assert before[2] not in page.evaluate(f"Array.from({TRACK}.frame.path)")


def test_a_planner_is_chosen_with_its_options(page):
    page.locator("#planner-choice").select_option("lss-lrta")
    page.locator("summary", has_text="Its options").click()
    page.locator("[data-option=lookahead]").fill("7")
    page.locator("[data-option=queue]").select_option("buckets")
    page.locator("#planners").fill("")
    page.locator("#add-planner").click()
    assert page.locator("#planners").input_value() == "lss-lrta:lookahead=7,queue=buckets"
    page.locator("#begin").click()
    page.wait_for_function("replan.model.tracks[0].about.name === 'LSS-LRTA*'")
    idle(page)
    assert page.evaluate(f"{TRACK}.about.most") == 7


def test_a_saved_page_plays_without_server_and_network(browser, tmp_path):
    from click.testing import CliRunner

    from replan.cli import main

    file = tmp_path / "page.html"
    wanted = ["view", "--save", str(file), "--planner", "rtaa:lookahead=9", "--planner", "d-star-lite"]
    done = CliRunner().invoke(main, wanted)
    assert done.exit_code == 0, done.output
    context = browser.new_context(reduced_motion="reduce", offline=True)
    page = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_function("window.replan && replan.model && replan.model.lastTick > 5")
    page.keyboard.press("End")
    idle(page)
    assert page.evaluate("replan.model.tracks.map(t => t.frame.why)") == ["reached", "reached"]
    page.keyboard.press("Home")
    assert tick(page) == 0
    assert page.locator("#begin").is_hidden() and page.locator("#png").is_visible()
    assert said == [] and all(url.startswith(("file:", "data:", "blob:")) for url in asked)
    context.close()


def test_frames_are_the_same_on_both_sides(page):
    """The page unpacks what Python packs."""
    from replan.viewer.messages import pack

    message = pack(
        {"kind": "test"},
        {"a": ("d32", [5, 3, 900_000]), "b": ("u8", [1, 2, 3]), "c": ("u16", [7]), "d": ("b1", [1, 0, 1] * 4)},
    )
    found = page.evaluate(
        """async bytes => { const { unpack } = await import("/page/frames.js");
            const f = unpack(new Uint8Array(bytes).buffer);
            return JSON.stringify([f.kind, [...f.a], [...f.b], [...f.c], [...f.d]]); }""",
        list(message),
    )
    assert json.loads(found) == ["test", [5, 3, 900_000], [1, 2, 3], [7], [1, 0, 1] * 4]


def test_the_page_plays_under_its_own_strict_rules(browser, address):
    context = browser.new_context(reduced_motion="no-preference")
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(address)
    for _ in range(100):
        page.wait_for_timeout(100)
        if page.evaluate("window.replan && replan.model ? replan.model.tick : 0") > 3:  # it plays by itself
            break
    assert tick(page) > 3 and said == []
    context.close()


def test_the_goal_moves_from_now_on(page):
    begin(page, map="new-open", rows=20, cols=30, seed=1)
    page.keyboard.press("ArrowRight")
    idle(page)
    goal = page.evaluate(f"{TRACK}.frame.goal[0]")
    page.locator("#let-target").select_option("wanders")
    page.wait_for_function(f"{TRACK}.frame.cause === 'retarget'")
    idle(page)
    page.locator("#let-target").blur()
    for _ in range(6):
        page.keyboard.press("n")
        idle(page)
    assert page.evaluate(f"{TRACK}.frame.goal[0]") != goal
    page.locator("#let-target").select_option("stays")
    page.wait_for_function(f"{TRACK}.frame.target === -1")
